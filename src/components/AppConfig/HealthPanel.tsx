import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Button, Icon, useStyles2 } from '@grafana/ui';

import { Health } from '../../api/client';
import { Loaded } from '../../api/useLoad';
import { plural } from '../../format/number';
import type { HealthDetails } from '../../types/generated';
import { Section } from '../Section/Section';
import { LoadView } from '../StateViews/StateViews';
import { testIds } from '../testIds';
import { healthDetails, prometheusHealth, Severity } from './health';

const ICONS: Record<Severity, IconName> = {
  success: 'check-circle',
  info: 'info-circle',
  error: 'exclamation-triangle',
};

/** How the backend is: each part that can fail stands apart, with its next step. */
export function HealthPanel({ health }: { health: Loaded<Health> }) {
  const styles = useStyles2(getStyles);
  return (
    <Section
      title="Health"
      subtitle="of what is saved"
      actions={
        <Button size="sm" variant="secondary" icon="sync" onClick={health.reload} disabled={health.loading}>
          {health.loading && health.data ? 'Checking' : 'Check again'}
        </Button>
      }
    >
      <LoadView loaded={health} label="Checking the backend" lines={4}>
        {(data) => {
          const details = healthDetails(data);
          const ok = data.status === 'OK';
          return (
            <div className={styles.list} data-testid={testIds.appStatus}>
              <Item
                severity={ok ? 'success' : 'error'}
                title={ok ? 'The backend is ready' : 'The backend reports a problem'}
              >
                {data.message}
              </Item>
              {details && <Details details={details} />}
            </div>
          );
        }}
      </LoadView>
    </Section>
  );
}

function Details({ details }: { details: HealthDetails }) {
  const prometheus = prometheusHealth(details);
  // What is wrong with a root is told once, where the root is listed.
  const ofRoot = (message: string) => details.problems.find((problem) => problem.message === message);
  const others = details.problems.filter(({ message }) => !details.roots.some((root) => root.message === message));
  return (
    <>
      <Item severity={prometheus.severity} title={prometheus.title} next={prometheus.next}>
        {prometheus.severity !== 'success' && prometheus.text}
      </Item>
      {details.roots.map((root) => (
        <Item
          key={root.name}
          severity={root.readable ? 'success' : 'error'}
          title={root.readable ? `Root ${root.name} is readable` : `Root ${root.name} cannot be read`}
          next={root.readable ? undefined : ofRoot(root.message)?.next}
        >
          {root.readable ? `${plural(root.sides, 'side')}, ${plural(root.runs, 'run')}` : root.message}
        </Item>
      ))}
      {details.roots.length === 0 && (
        <Item
          severity="error"
          title="No root is configured"
          next="Let the operator name one in Grafana’s configuration, as shown below."
        >
          Nothing can be read without a root.
        </Item>
      )}
      {others.map(({ setting, message, next }) => (
        <Item key={`${setting} ${message}`} severity="error" title={`Setting ${setting}`} next={next}>
          {message}
        </Item>
      ))}
    </>
  );
}

function Item({
  severity,
  title,
  next,
  children,
}: {
  severity: Severity;
  title: string;
  next?: string;
  children?: React.ReactNode;
}) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.item}>
      <Icon name={ICONS[severity]} className={styles[severity]} aria-hidden />
      <div>
        <div className={styles.title}>{title}</div>
        {children && <div className={styles.text}>{children}</div>}
        {next && (
          <div>
            <strong>Next step:</strong> {next}
          </div>
        )}
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5) }),
  item: css({
    display: 'flex',
    gap: theme.spacing(1),
    minWidth: 0,
    overflowWrap: 'anywhere',
    svg: { flexShrink: 0, marginTop: theme.spacing(0.25) },
    '> div': { minWidth: 0 },
  }),
  title: css({ fontWeight: theme.typography.fontWeightMedium }),
  text: css({ color: theme.colors.text.secondary }),
  success: css({ color: theme.colors.success.text }),
  info: css({ color: theme.colors.info.text }),
  error: css({ color: theme.colors.error.text }),
});
