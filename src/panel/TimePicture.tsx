import React from 'react';

import { RequestTimeChart } from '../components/charts/RequestTimeChart';
import { ROLES, SideRole } from '../components/charts/sides';
import { MissingMetrics } from '../pages/Compare/Missing';
import type { Comparison } from '../types/generated';

/** Where one request’s time goes, for both sides; a side without metrics says why it has none. */
export function TimePicture({ comparison }: { comparison: Comparison }) {
  const breakdown = (role: SideRole) => comparison.sides[role].metrics.breakdown;
  const missing = ROLES.filter((role) => breakdown(role).totalSeconds === null);
  return (
    <>
      {missing.length < ROLES.length && (
        <RequestTimeChart sides={ROLES.map((role) => ({ role, label: role, ...breakdown(role) }))} />
      )}
      {missing.length > 0 && (
        <MissingMetrics comparison={comparison} what="The account of a request’s time" roles={missing} />
      )}
    </>
  );
}
