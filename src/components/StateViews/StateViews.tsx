import React, { ReactNode } from 'react';

import { css, keyframes } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Alert, Button, EmptyState, Stack, useStyles2 } from '@grafana/ui';

import { Problem } from '../../api/problem';
import { Loaded } from '../../api/useLoad';
import { testIds } from '../testIds';

/** Grey lines in the place of what is being loaded, so that the page does not jump when it arrives. */
export function LoadingView({ label, lines = 3 }: { label: string; lines?: number }) {
  const styles = useStyles2(getStyles);
  return (
    <div role="status" aria-busy="true" aria-label={label} className={styles.skeleton} data-testid={testIds.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} style={{ width: line === lines - 1 ? '60%' : '100%' }} />
      ))}
    </div>
  );
}

/** Says that there is nothing to show, why, and what would change that. */
export function EmptyView({
  message,
  children,
  button,
}: {
  message: string;
  children?: ReactNode;
  button?: ReactNode;
}) {
  return (
    <div data-testid={testIds.empty}>
      <EmptyState variant="not-found" message={message} button={button} hideImage>
        {children}
      </EmptyState>
    </div>
  );
}

/** A problem with its cause and the next step. */
export function ProblemView({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const styles = useStyles2(getStyles);
  return (
    <Alert title={problem.title} severity="error" data-testid={testIds.problem}>
      <Stack direction="column" gap={1} alignItems="flex-start">
        {problem.detail && <span className={styles.detail}>{problem.detail}</span>}
        {problem.next && (
          <span>
            <strong>Next step:</strong> {problem.next}
          </span>
        )}
        {onRetry && (
          <Button size="sm" variant="secondary" icon="sync" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Says that what stands below is incomplete, and why. */
export function PartialView({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert title={title} severity="warning" data-testid={testIds.partial}>
      {children}
    </Alert>
  );
}

interface LoadViewProps<T> {
  loaded: Loaded<T>;
  /** What is being loaded, for readers of the screen: "Loading runs". */
  label: string;
  lines?: number;
  children: (data: T) => ReactNode;
}

/** Shows what was loaded, or the state it is in. What was known before stays visible below a problem. */
export function LoadView<T>({ loaded, label, lines, children }: LoadViewProps<T>) {
  const { data, problem, loading, reload } = loaded;
  return (
    <>
      {problem && <ProblemView problem={problem} onRetry={reload} />}
      {data !== undefined && children(data)}
      {loading && data === undefined && <LoadingView label={label} lines={lines} />}
    </>
  );
}

const pulse = keyframes({ '0%, 100%': { opacity: 1 }, '50%': { opacity: 0.45 } });

const getStyles = (theme: GrafanaTheme2) => ({
  skeleton: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
    padding: theme.spacing(1, 0),
  }),
  line: css({
    height: theme.spacing(2),
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    [theme.transitions.handleMotion('no-preference')]: {
      animation: `${pulse} 1.5s ease-in-out infinite`,
    },
  }),
  detail: css({ overflowWrap: 'anywhere' }),
});
