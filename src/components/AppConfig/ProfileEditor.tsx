import React, { useEffect, useRef, useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { CodeEditor, Combobox, Field, useStyles2 } from '@grafana/ui';

import { getMetricNames } from '../../api/resources';
import { toProblem } from '../../api/problem';
import { ProfileCheck } from './ProfileCheck';
import { profileMetric, withRequestMetric } from './starter';

/** A draft is checked when nothing was typed for this long; each check asks Prometheus. */
const PAUSE_MS = 900;

interface Props {
  yaml: string;
  /** True when it can be read but not changed. */
  locked: boolean;
  onChange: (yaml: string) => void;
}

type Editor = Parameters<NonNullable<React.ComponentProps<typeof CodeEditor>['onEditorDidMount']>>[0];

/** One profile with its check and a list of the metrics that the server knows. */
export function ProfileEditor({ yaml, locked, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const editor = useRef<Editor | null>(null);
  /** True once somebody has put the cursor somewhere. */
  const placed = useRef(false);
  const [settled, setSettled] = useState(yaml);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(yaml), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [yaml]);

  const suggest = async (contains: string) => {
    try {
      const { names } = await getMetricNames(contains);
      setTrouble('');
      // The three series of a histogram are one metric to a profile.
      return [...new Set(names.map(profileMetric))].map((name) => ({ value: name, label: name }));
    } catch (error) {
      const { title, detail } = toProblem(error);
      setTrouble([title, detail].filter(Boolean).join(': '));
      return [];
    }
  };
  const insert = (name: string) => {
    const at = placed.current ? editor.current?.getSelection() : null;
    if (editor.current && at) {
      editor.current.executeEdits('metric name', [{ range: at, text: name, forceMoveMarkers: true }]);
      editor.current.focus();
    } else {
      onChange(withRequestMetric(yaml, name));
    }
  };

  return (
    <div className={styles.columns}>
      <div className={styles.editor}>
        <CodeEditor
          language="yaml"
          readOnly={locked}
          value={yaml}
          height={420}
          showMiniMap={false}
          showLineNumbers
          monacoOptions={{ tabSize: 2, insertSpaces: true, scrollBeyondLastLine: false }}
          onEditorDidMount={(mounted) => {
            editor.current = mounted;
          }}
          onEditorWillUnmount={() => {
            editor.current = null;
          }}
          onFocus={() => {
            placed.current = true;
          }}
          onChange={onChange}
        />
      </div>
      <div className={styles.side}>
        <Field
          noMargin
          label="Find a metric"
          description="What you choose is written where you put the cursor, else as the metric of the requests."
          htmlFor="find-metric"
          invalid={trouble !== ''}
          error={trouble}
        >
          <Combobox
            id="find-metric"
            disabled={locked}
            options={suggest}
            value={null}
            placeholder="Part of a name"
            noOptionsMessage="The server knows no metric with this name"
            onChange={({ value }) => insert(value)}
          />
        </Field>
        <ProfileCheck yaml={settled} waiting={settled !== yaml} />
      </div>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  columns: css({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)',
    gap: theme.spacing(2),
    [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  }),
  editor: css({ minWidth: 0 }),
  side: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
});
