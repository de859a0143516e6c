import React, { ReactNode, useEffect, useRef } from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  as: 'tr' | 'li' | 'div';
  /** True while this is what the address points at. */
  when: boolean;
  className?: string;
  children: ReactNode;
}

/** Something that a proof can point at: when it does, it is marked, scrolled to and named as current. */
export function Revealed({ as: Tag, when, className, children }: Props) {
  const styles = useStyles2(getStyles);
  const ref = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (when) {
      ref.current?.scrollIntoView?.({ block: 'center' });
    }
  }, [when]);
  return (
    <Tag
      ref={(element: HTMLElement | null) => {
        ref.current = element;
      }}
      aria-current={when || undefined}
      className={cx(className, when && styles)}
    >
      {children}
    </Tag>
  );
}

const getStyles = (theme: GrafanaTheme2) =>
  css({
    outline: `2px solid ${theme.colors.primary.border}`,
    outlineOffset: -2,
    borderRadius: theme.shape.radius.default,
  });
