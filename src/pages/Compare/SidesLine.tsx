import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Tooltip, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { ROLES, SideRole } from '../../components/charts/sides';
import { ExactLink } from '../../components/ExactLink/ExactLink';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import { ROUTES } from '../../constants';
import { formatElapsed, formatLocal, formatUtc } from '../../format/time';
import type { Comparison, EvidenceSide } from '../../types/generated';
import { pageHref } from '../links';

/** Which sides these are: what a person said of them, when they ran, and how that is known. */
export function SidesLine({ comparison }: { comparison: Comparison }) {
  const styles = useStyles2(getStyles);
  return (
    <ul className={styles.list}>
      {ROLES.map((role) => (
        <li key={role} className={styles.side}>
          <SideFacts role={role} side={comparison.sides[role]} profile={comparison.profile.name} />
        </li>
      ))}
    </ul>
  );
}

function SideFacts({ role, side, profile }: { role: SideRole; side: EvidenceSide; profile: string }) {
  const styles = useStyles2(getStyles);
  const { declared, window } = side;
  const said = [declared?.version && `version ${declared.version}`, declared?.commit && `commit ${declared.commit}`]
    .filter(Boolean)
    .join(', ');
  return (
    <>
      <SideMark role={role} />
      <span>
        <SrOnly>{role}: </SrOnly>
        <ExactLink href={pageHref(ROUTES.Side, { side: side.id, profile })}>{side.label}</ExactLink>
        {said && ` · ${said}`}
        {declared?.changed && ` · ${declared.changed}`}
        {window && (
          <>
            {' · '}
            <Tooltip content={`${formatUtc(window.start)} to ${formatUtc(window.end)}`}>
              <button type="button" className={styles.when}>
                {formatLocal(window.start)}
              </button>
            </Tooltip>
            {`, ${formatElapsed((Date.parse(window.end) - Date.parse(window.start)) / 1000)}`}
            {` · window from ${window.source}`}
            {window.uncertainty > 0 && `, give or take ${window.uncertainty} s`}
          </>
        )}
        {!window && ' · the window of its runs is not known'}
        {side.frozen &&
          ` · figures read from ${side.frozenFrom ?? 'its evidence.json'}, as the server no longer keeps the window`}
      </span>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 3),
    listStyle: 'none',
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
  }),
  side: css({
    display: 'flex',
    alignItems: 'baseline',
    gap: theme.spacing(0.75),
    minWidth: 0,
    overflowWrap: 'anywhere',
  }),
  when: css({
    padding: 0,
    border: 'none',
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textDecoration: 'underline dotted',
    cursor: 'help',
  }),
});
