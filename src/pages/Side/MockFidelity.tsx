import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { Section } from '../../components/Section/Section';
import { formatCount } from '../../format/number';
import type { EvidenceMock } from '../../types/generated';
import { Facts } from './Facts';

/** How faithfully the dependency was answered. A side without counts does not say; that is not 0 misses. */
export function MockFidelity({ mock }: { mock: EvidenceMock | null }) {
  const styles = useStyles2(getStyles);
  if (!mock || mock.state !== 'ok') {
    return (
      <Section title="Mocked dependency">
        <p className={styles.dim}>
          Neither pairs nor a log of the mock lie beside these runs, so hits, misses and passthroughs are not known. Let
          the mock write its pairs into the side’s directory to have them here.
        </p>
      </Section>
    );
  }
  const count = (label: string, value: number | null, name: string, note: string) => ({
    label,
    value: <Figure text={value === null ? null : formatCount(value)} reason={mock.reasons?.[name]} />,
    note,
  });
  return (
    <Section title="Mocked dependency" subtitle={mock.source}>
      <Facts
        facts={[
          count('Hits', mock.hits, 'hits', 'answered from the recording'),
          count('Misses', mock.misses, 'misses', 'nothing recorded fits'),
          count('Passthroughs', mock.passthroughs, 'passthroughs', 'went to the real dependency'),
        ]}
      />
      {mock.details.length > 0 && (
        <ul className={styles.list}>
          {mock.details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  dim: css({ margin: 0, color: theme.colors.text.secondary }),
  list: css({ margin: 0, paddingLeft: theme.spacing(2.5), overflowWrap: 'anywhere' }),
});
