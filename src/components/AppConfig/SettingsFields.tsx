import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import type { SettingsResponse } from '../../types/generated';
import { Section } from '../Section/Section';
import { FieldsProps } from './fields';
import { JudgementFields } from './JudgementFields';
import { ProfilesFields } from './ProfilesFields';
import { PrometheusFields } from './PrometheusFields';
import { RootsFields } from './RootsFields';

interface Props extends FieldsProps {
  /** What the operator configured, as the backend reports it; undefined while that is not known. */
  effective: SettingsResponse | undefined;
  /** Said beside the heading of the profiles. */
  profilesNote?: string;
}

/** Every setting of the app or of the data source, which have the same. */
export function SettingsFields({ effective, profilesNote, ...fields }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <>
      <fieldset disabled={fields.locked} className={styles.group}>
        <Section title="Results" subtitle="where replays are read from">
          <RootsFields {...fields} effective={effective} />
        </Section>
        <Section title="Prometheus" subtitle="what the service did in exactly the windows of the replays">
          <PrometheusFields {...fields} />
        </Section>
      </fieldset>
      {/* Profiles are unfolded by buttons, which must work when nothing can be changed. */}
      <Section title="Profiles" subtitle={profilesNote ?? 'the questions for each service'}>
        <ProfilesFields {...fields} />
      </Section>
      <fieldset disabled={fields.locked} className={styles.group}>
        <Section title="What counts as a move" subtitle="empty fields keep what each profile says">
          <JudgementFields {...fields} />
        </Section>
      </fieldset>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  group: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(2),
    margin: 0,
    padding: 0,
    border: 'none',
    minWidth: 0,
  }),
});
