import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { PartialView } from '../../components/StateViews/StateViews';
import type { CatalogProblem, RootState } from '../../types/generated';

interface Props {
  roots: readonly RootState[];
  /** Problems of the listing as a whole. */
  problems: readonly CatalogProblem[];
}

/** Roots that could not be read, each with its own message; what else was found stays usable. */
export function RootStates({ roots, problems }: Props) {
  const styles = useStyles2(getStyles);
  const unreadable = roots.filter((root) => !root.readable);
  const others = roots.length - unreadable.length;
  return (
    <>
      {unreadable.map((root) => (
        <PartialView key={root.name} title={`Root ${root.name} cannot be read`}>
          {root.message}
          {others > 0 && <div className={styles.rest}>What the other roots hold is listed below.</div>}
        </PartialView>
      ))}
      {problems.length > 0 && (
        <PartialView title="The list is incomplete">
          <ul className={styles.list}>
            {problems.map(({ path, message }, at) => (
              <li key={at}>
                <span className={styles.rest}>{path}</span> {message}
              </li>
            ))}
          </ul>
        </PartialView>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  rest: css({ color: theme.colors.text.secondary }),
  list: css({ margin: 0, paddingLeft: theme.spacing(2.5), overflowWrap: 'anywhere' }),
});
