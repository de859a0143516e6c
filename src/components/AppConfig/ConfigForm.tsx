import React, { useMemo, useState } from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';

import { Problem, toProblem } from '../../api/problem';
import type { SettingsResponse } from '../../types/generated';
import { PartialView, ProblemView } from '../StateViews/StateViews';
import { faultsOf } from './faults';
import { FieldsProps } from './fields';
import { getPluginSettings, savePluginSettings } from './pluginSettings';
import { Draft, PluginSettings, toDraft, toPayload } from './settings';
import { SettingsFields } from './SettingsFields';

interface Props {
  stored: PluginSettings;
  effective: SettingsResponse | undefined;
  /** True right after saving, until something is changed. */
  saved: boolean;
  /** Hands over what Grafana keeps after saving. */
  onSaved: (stored: PluginSettings) => void;
}

/** The fields, and the one button that saves all of them. */
export function ConfigForm({ stored, effective, saved, onSaved }: Props) {
  const styles = useStyles2(getStyles);
  const before = useMemo(() => toDraft(stored), [stored]);
  const [draft, setDraft] = useState<Draft>(before);
  const [attempted, setAttempted] = useState(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const dirty = useMemo(() => JSON.stringify(draft) !== JSON.stringify(before), [draft, before]);
  const faults = useMemo(() => faultsOf(draft), [draft]);
  const count = Object.keys(faults).length;
  const locked = effective ? !effective.canConfigure : false;
  const fields: FieldsProps = {
    draft,
    faults: attempted ? faults : {},
    locked,
    change: (change) => setDraft((now) => ({ ...now, ...change })),
  };

  const save = async () => {
    setAttempted(true);
    if (count > 0) {
      return;
    }
    setSaving(true);
    setProblem(null);
    try {
      await savePluginSettings(toPayload(draft, stored));
      onSaved(await getPluginSettings());
    } catch (error) {
      setProblem(toProblem(error));
      setSaving(false);
    }
  };

  return (
    <form
      className={styles.form}
      aria-label="Configuration"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!stored.enabled && (
        <PartialView title="The app is switched off in this organisation">
          Saving the configuration switches it on.
        </PartialView>
      )}
      {locked && (
        <PartialView title="You cannot save this">
          Only administrators of this organisation configure the app. You can read everything here.
        </PartialView>
      )}
      <SettingsFields {...fields} effective={effective} />
      {problem && <ProblemView problem={problem} />}
      <div className={cx(styles.foot, dirty && styles.sticky)}>
        <Button type="submit" icon="save" disabled={locked || saving || (!dirty && stored.enabled)}>
          {saving ? 'Saving' : stored.enabled ? 'Save' : 'Save and switch on'}
        </Button>
        <Button variant="secondary" disabled={saving || !dirty} onClick={() => setDraft(before)}>
          Discard changes
        </Button>
        <span role="status" aria-label="Saving" className={styles.said}>
          {attempted && count > 0
            ? `${count === 1 ? 'One field needs' : `${count} fields need`} another look: ${Object.values(faults)[0] ?? ''}`
            : dirty
              ? 'There are changes that are not saved.'
              : saved
                ? 'Saved. The backend answers with it from now on.'
                : ''}
        </span>
        <span className={styles.provisioned}>
          If a file provisions this app, Grafana writes the file’s settings back when it starts: change the file, too.
        </span>
      </div>
    </form>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  form: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  foot: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 2),
    padding: theme.spacing(1.5, 2),
    background: theme.colors.background.primary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  // With something to save, the button stays in reach.
  sticky: css({ position: 'sticky', bottom: 0, zIndex: theme.zIndex.activePanel }),
  provisioned: css({ flexBasis: '100%', color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  said: css({ color: theme.colors.text.secondary, overflowWrap: 'anywhere' }),
});
