import React, { HTMLAttributes } from 'react';

import { css } from '@emotion/css';

const hidden = css({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
});

/** Text for readers of the screen, where others see a sign or a place. */
export function SrOnly({
  as: Tag = 'span',
  ...props
}: Omit<HTMLAttributes<HTMLElement>, 'className'> & { as?: 'span' | 'h2' }) {
  return <Tag {...props} className={hidden} />;
}
