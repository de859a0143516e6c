import React, { ReactNode } from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

export interface Fact {
  label: string;
  value: ReactNode;
  /** What stands small below the value. */
  note?: ReactNode;
}

interface Props {
  facts: ReadonlyArray<Fact | false | null | undefined | ''>;
  /** More room for each, for words rather than figures. */
  wide?: boolean;
}

/** Figures with their names, as many beside each other as there is room for. */
export function Facts({ facts, wide }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <dl className={cx(styles.list, wide && styles.wide)}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.label} className={styles.fact}>
              <dt>{fact.label}</dt>
              <dd>
                {fact.value}
                {fact.note && <div className={styles.note}>{fact.note}</div>}
              </dd>
            </div>
          )
      )}
    </dl>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(130px, 1fr))',
    gap: theme.spacing(1.5, 2),
    margin: 0,
    fontVariantNumeric: 'tabular-nums',
  }),
  wide: css({ gridTemplateColumns: 'repeat(auto-fill, minmax(190px, 1fr))' }),
  fact: css({
    minWidth: 0,
    dt: {
      color: theme.colors.text.secondary,
      ...theme.typography.bodySmall,
    },
    dd: { margin: 0, overflowWrap: 'anywhere' },
  }),
  note: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});
