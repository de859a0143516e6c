import React, { ReactNode } from 'react';

import { ErrorBoundary } from '@grafana/ui';

import { toProblem } from '../../api/problem';
import { ProblemView } from '../StateViews/StateViews';

interface Props {
  /** Names the part in the report of the error. */
  name: string;
  /** When one of these changes, the part is tried again. */
  dependencies?: unknown[];
  children: ReactNode;
}

/** Keeps a fault inside one part of a page: the rest stays usable, and the part says what happened. */
export function Guard({ name, dependencies, children }: Props) {
  return (
    <ErrorBoundary boundaryName={`replay-evidence-${name}`} dependencies={dependencies}>
      {({ error }) => (error ? <ProblemView problem={toProblem(error)} /> : children)}
    </ErrorBoundary>
  );
}
