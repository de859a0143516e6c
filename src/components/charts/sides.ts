import { GrafanaTheme2 } from '@grafana/data';

/** Which of the two sides something belongs to. */
export type SideRole = 'baseline' | 'candidate';

export const ROLES: readonly SideRole[] = ['baseline', 'candidate'];

/** The colours of the two sides, the same on every page. Never the only thing that tells them apart. */
export function sideColor(theme: GrafanaTheme2, role: SideRole): string {
  return theme.visualization.getColorByName(role === 'baseline' ? 'blue' : 'orange');
}
