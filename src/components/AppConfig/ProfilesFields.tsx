import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, Collapse, useStyles2 } from '@grafana/ui';

import { FieldsProps } from './fields';
import { ProfileEditor } from './ProfileEditor';
import { profileName, STARTER_PROFILE } from './starter';

/** The questions for each service, as YAML with a live check. */
export function ProfilesFields({ draft, change, locked }: FieldsProps) {
  const styles = useStyles2(getStyles);
  const [opened, setOpened] = useState<string | null>(
    draft.profiles.length === 1 ? (draft.profiles[0]?.key ?? null) : null
  );
  const add = () => {
    const key = `new ${Date.now()}`;
    change({ profiles: [...draft.profiles, { key, yaml: STARTER_PROFILE }] });
    setOpened(key);
  };
  return (
    <div className={styles.list}>
      {draft.profiles.length === 0 && (
        <p className={styles.dim}>
          There is no profile yet. Behaviour and the replay’s own figures are compared without one; what the service did
          in the meantime is asked with one.
        </p>
      )}
      {draft.profiles.map(({ key, yaml }, at) => (
        <Collapse
          key={key}
          label={`${profileName(yaml)}${at === 0 && draft.profiles.length > 1 ? ' (used unless another is chosen)' : ''}`}
          isOpen={opened === key}
          onToggle={(open) => setOpened(open ? key : null)}
        >
          <ProfileEditor
            yaml={yaml}
            locked={locked}
            onChange={(text) =>
              change({ profiles: draft.profiles.map((one) => (one.key === key ? { key, yaml: text } : one)) })
            }
          />
          <Button
            size="sm"
            disabled={locked}
            variant="destructive"
            fill="text"
            icon="trash-alt"
            onClick={() => change({ profiles: draft.profiles.filter((one) => one.key !== key) })}
          >
            Remove this profile
          </Button>
        </Collapse>
      ))}
      <div>
        <Button variant="secondary" icon="plus" disabled={locked} onClick={add}>
          Add a profile
        </Button>
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  dim: css({ margin: 0, color: theme.colors.text.secondary }),
});
