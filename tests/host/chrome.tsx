import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { PluginPageProps } from '@grafana/runtime';
import { Stack, TextLink, useStyles2 } from '@grafana/ui';

/** The frame around a page that Grafana draws: a bar on top, a navigation of the app's pages, the page itself. */
export function HostFrame({ appId, children }: { appId: string; children: React.ReactNode }) {
  const styles = useStyles2(getStyles);
  const page = (path: string) => `/a/${appId}/${path}`;
  return (
    <div className={styles.frame}>
      <header className={styles.bar}>
        <TextLink href={page('runs')} inline={false} color="primary">
          Replay Evidence
        </TextLink>
        <nav aria-label="App pages">
          <Stack gap={2}>
            <TextLink href={page('runs')}>Runs</TextLink>
            <TextLink href={page('compare')}>Compare</TextLink>
            <TextLink href={page('side')}>Side</TextLink>
            <TextLink href={`/plugins/${appId}`}>Configuration</TextLink>
          </Stack>
        </nav>
        <span className={styles.note}>test host, not Grafana</span>
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}

/** What Grafana's PluginPage shows: title, subtitle, facts and actions above the content. */
export function HostPage({ pageNav, actions, info, subTitle, renderTitle, children }: PluginPageProps) {
  const styles = useStyles2(getStyles);
  const title = pageNav?.text ?? '';
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        {title && (renderTitle ? renderTitle(title) : <h1 className={styles.title}>{title}</h1>)}
        {info && (
          <Stack gap={3} wrap="wrap">
            {info.map(({ label, value }) => (
              <div key={label}>
                <div className={styles.note}>{label}</div>
                <div>{value}</div>
              </div>
            ))}
          </Stack>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {(subTitle || pageNav?.subTitle) && <div className={styles.note}>{subTitle ?? pageNav?.subTitle}</div>}
      {children}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  frame: css({ minHeight: '100vh', background: theme.colors.background.canvas }),
  bar: css({
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: theme.spacing(1, 3),
    padding: theme.spacing(1, 2),
    background: theme.colors.background.primary,
    borderBottom: `1px solid ${theme.colors.border.weak}`,
  }),
  main: css({ padding: theme.spacing(2) }),
  page: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(2), minWidth: 0 }),
  head: css({ display: 'flex', alignItems: 'flex-start', flexWrap: 'wrap', gap: theme.spacing(1, 3) }),
  title: css({ margin: 0 }),
  actions: css({ marginLeft: 'auto', display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
  note: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});
