import React, { ReactNode, useId } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Guard } from '../ErrorBoundary/Guard';

interface Props {
  title: string;
  /** What the figures are, in a few words: "mean, exact; parts add up". */
  subtitle?: ReactNode;
  /** Stands at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled part of a page that looks like a Grafana panel. A fault inside it stays inside it. */
export function Section({ title, subtitle, actions, children }: Props) {
  const styles = useStyles2(getStyles);
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <header className={styles.header}>
        <h2 id={heading} className={styles.title}>
          {title}
        </h2>
        {subtitle && <span className={styles.subtitle}>{subtitle}</span>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <Guard name={title}>{children}</Guard>
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  section: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1.5),
    minWidth: 0,
    padding: theme.spacing(2),
    background: theme.colors.background.primary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  header: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: theme.spacing(0.5, 1) }),
  title: css({ margin: 0, ...theme.typography.h5 }),
  subtitle: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  actions: css({ marginLeft: 'auto' }),
});
