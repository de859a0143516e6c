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
export function SrOnly(props: Omit<HTMLAttributes<HTMLSpanElement>, 'className'>) {
  return <span {...props} className={hidden} />;
}
