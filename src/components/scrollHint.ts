import { GrafanaTheme2 } from '@grafana/data';

/**
 * A background for something that scrolls sideways: a shadow at the edge behind which more is hidden, where the browser
 * shows no scroll bar. What is scrolled must have no background of its own.
 */
export function scrollHint(theme: GrafanaTheme2) {
  const cover = theme.colors.background.primary;
  const shadow = theme.isDark ? 'rgba(0, 0, 0, 0.75)' : 'rgba(0, 0, 0, 0.25)';
  return {
    backgroundColor: cover,
    backgroundImage: [
      `linear-gradient(to right, ${cover} 40%, transparent)`,
      `linear-gradient(to left, ${cover} 40%, transparent)`,
      `linear-gradient(to right, ${shadow}, transparent)`,
      `linear-gradient(to left, ${shadow}, transparent)`,
    ].join(', '),
    backgroundPosition: 'left, right, left, right',
    backgroundRepeat: 'no-repeat',
    backgroundSize: '32px 100%, 32px 100%, 12px 100%, 12px 100%',
    // The covers move with the content, the shadows stay.
    backgroundAttachment: 'local, local, scroll, scroll',
  } as const;
}
