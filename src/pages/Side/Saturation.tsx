import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { Section } from '../../components/Section/Section';
import { formatCount, formatNumber, formatRate, formatSeconds, formatShare } from '../../format/number';
import type { EvidencePoolUtilisation, EvidenceSaturation } from '../../types/generated';
import { Facts } from './Facts';
import { upperFirst } from './words';

function Pool({ pool }: { pool: EvidencePoolUtilisation }) {
  const styles = useStyles2(getStyles);
  const figure = (value: number | null, name: string, write: (value: number) => string) => (
    <Figure text={value === null ? null : write(value)} reason={pool.reasons?.[name]} />
  );
  return (
    <div>
      <h3 className={styles.pool}>Pool {pool.name}</h3>
      <Facts
        facts={[
          { label: 'In use', value: figure(pool.inUse, 'inUse', formatNumber) },
          { label: 'Size', value: figure(pool.size, 'size', formatCount), note: pool.sizeSource },
          { label: 'Busy', value: figure(pool.utilisation, 'utilisation', formatShare) },
          { label: 'Held for', value: figure(pool.holdSeconds, 'holdSeconds', formatSeconds), note: pool.holdSource },
          { label: 'Can serve', value: figure(pool.ceiling, 'ceiling', formatRate) },
        ]}
      />
    </div>
  );
}

/** What limits the service in this run, by arithmetic. */
export function Saturation({ saturation }: { saturation: EvidenceSaturation }) {
  const styles = useStyles2(getStyles);
  const { limitedBy, inFlight, users, usersCeiling, pools, reasons } = saturation;
  return (
    <Section title="What limits it" subtitle="Little’s law over the load run">
      {limitedBy && <p className={styles.text}>{upperFirst(limitedBy)}.</p>}
      <Facts
        facts={[
          {
            label: 'Requests in flight',
            value: <Figure text={inFlight === null ? null : formatNumber(inFlight)} reason={reasons?.inFlight} />,
            note: users === null ? undefined : `of ${formatCount(users)} users`,
          },
          {
            label: 'Users could reach',
            value: (
              <Figure text={usersCeiling === null ? null : formatRate(usersCeiling)} reason={reasons?.usersCeiling} />
            ),
            note: 'without any wait',
          },
        ]}
      />
      {pools.map((pool) => (
        <Pool key={pool.name} pool={pool} />
      ))}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ margin: 0, overflowWrap: 'anywhere' }),
  pool: css({ margin: theme.spacing(0, 0, 1), ...theme.typography.h6 }),
});
