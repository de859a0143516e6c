import React from 'react';

import { Icon, useStyles2 } from '@grafana/ui';

import { ExactLink } from '../../components/ExactLink/ExactLink';
import { ROUTES } from '../../constants';
import { pageHref } from '../links';
import { Entry, shortName } from './rows';
import { getTableStyles } from './styles';

interface Props {
  entry: Entry;
  expanded: boolean;
  onToggle: () => void;
}

/** The name of a side, where it lies, and what side.json says of it. */
export function SideName({ entry, expanded, onToggle }: Props) {
  const styles = useStyles2(getTableStyles);
  const { side } = entry;
  const { version, commit, changed } = side.declared ?? {};
  return (
    <div className={styles.side}>
      <button
        type="button"
        className={styles.toggle}
        title={expanded ? 'Hide its runs' : 'Show its runs'}
        aria-label={`Runs of ${side.label}`}
        aria-expanded={expanded}
        tabIndex={-1}
        onClick={onToggle}
      >
        <Icon name={expanded ? 'angle-down' : 'angle-right'} aria-hidden />
      </button>
      <div className={styles.sideText}>
        <div className={styles.label}>
          <ExactLink href={pageHref(ROUTES.Side, { side: side.id })} tabIndex={-1}>
            {shortName(side)}
          </ExactLink>
          {version && (
            <span className={styles.said} title={commit && `commit ${commit}`}>
              {version}
            </span>
          )}
        </div>
        <div className={styles.path} title={side.id}>
          <bdi>{side.id}</bdi>
        </div>
        {changed && (
          <div className={styles.changed} title={`Changed, as side.json says: ${changed}`}>
            {changed}
          </div>
        )}
      </div>
    </div>
  );
}
