import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { TextLink, useStyles2 } from '@grafana/ui';

import { EmptyView } from '../../components/StateViews/StateViews';
import { PLUGIN_ID } from '../../constants';
import type { RootState } from '../../types/generated';

const REPLAY = `proxymock replay --in recording --test-against http://localhost:8080 --times 3 \\
  --out results/baseline/functional --output json > results/baseline/functional/summary.json
proxymock replay --in recording --test-against http://localhost:8080 --load-test --vus 8 --times 150 \\
  --no-out --output json > results/baseline/load/summary.json`;

const GRAFANA_INI = `[plugin.${PLUGIN_ID}]
roots = lab=/var/lib/replay-evidence/lab`;

/** Says how to get from nothing to two sides. */
export function HowToGetRuns({ roots }: { roots: readonly RootState[] }) {
  const styles = useStyles2(getStyles);
  return roots.length === 0 ? (
    <EmptyView message="No root is configured">
      <div className={styles.text}>
        A root is a directory that holds results. Only the operator of this Grafana can name one, in its configuration:
        <pre className={styles.code}>{GRAFANA_INI}</pre>
        Restart Grafana, then choose among the roots on the{' '}
        <TextLink href={`/plugins/${PLUGIN_ID}`}>configuration page</TextLink>.
      </div>
    </EmptyView>
  ) : (
    <EmptyView message="No runs yet">
      <div className={styles.text}>
        Replay a recording into a directory below {roots.map((root) => root.name).join(', ')}: once scored, once as a
        load test. Do the same with the candidate, into a directory beside it.
        <pre className={styles.code}>{REPLAY}</pre>
        Then refresh this page. Results are recognised by what they hold, not by the names of their directories.
      </div>
    </EmptyView>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  text: css({ maxWidth: 720, textAlign: 'left', display: 'flex', flexDirection: 'column', gap: theme.spacing(1) }),
  code: css({ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', textAlign: 'left' }),
});
