import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';

import { sideColor } from '../../components/charts/sides';
import { scrollHint } from '../../components/scrollHint';
import { GRID_TEMPLATE, LINE_MIN_WIDTH } from './columns';

/** Styles of what stands in a cell. */
export const getCellStyles = (theme: GrafanaTheme2) => {
  const marked = { display: 'inline-flex', alignItems: 'flex-start', gap: theme.spacing(0.5), minWidth: 0 };
  return {
    kinds: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0, 1) }),
    kind: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.5), whiteSpace: 'nowrap' }),
    dim: css({ color: theme.colors.text.secondary }),
    second: css({ display: 'block', color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
    warning: css({ color: theme.colors.warning.text, svg: { verticalAlign: 'middle' } }),
    problem: css({ ...marked, color: theme.colors.warning.text }),
    note: css({ ...marked, color: theme.colors.text.secondary }),
    clamp: css({
      display: '-webkit-box',
      // Deprecated in name only: browsers clamp lines in no other way yet.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 2,
      overflow: 'hidden',
      overflowWrap: 'anywhere',
      lineHeight: theme.typography.bodySmall.lineHeight,
    }),
  };
};

export const getTableStyles = (theme: GrafanaTheme2) => {
  const columns = { display: 'grid', gridTemplateColumns: GRID_TEMPLATE, columnGap: theme.spacing(1) };
  const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
  return {
    scroll: css({
      position: 'relative',
      overflow: 'auto',
      maxHeight: 'max(360px, calc(100vh - 320px))',
      ...scrollHint(theme),
      border: `1px solid ${theme.colors.border.weak}`,
      borderRadius: theme.shape.radius.default,
      fontVariantNumeric: 'tabular-nums',
      ...theme.typography.bodySmall,
      '&:focus-visible': { outline: `2px solid ${theme.colors.primary.border}`, outlineOffset: 2 },
    }),
    wide: css({ minWidth: LINE_MIN_WIDTH }),
    headGroup: css({ position: 'sticky', top: 0, zIndex: 1 }),
    head: css({
      ...columns,
      padding: theme.spacing(0, 1),
      background: theme.colors.background.secondary,
      borderBottom: `1px solid ${theme.colors.border.medium}`,
    }),
    headCell: css({ display: 'flex', alignItems: 'center', minWidth: 0, padding: theme.spacing(0.75, 0) }),
    headNumber: css({ justifyContent: 'flex-end' }),
    sort: css({
      display: 'inline-flex',
      alignItems: 'center',
      gap: theme.spacing(0.25),
      padding: 0,
      border: 'none',
      background: 'none',
      color: theme.colors.text.secondary,
      font: 'inherit',
      fontWeight: theme.typography.fontWeightMedium,
      whiteSpace: 'nowrap',
      '&:hover': { color: theme.colors.text.primary },
      '&[data-sorted="true"]': { color: theme.colors.text.primary },
    }),
    body: css({ position: 'relative' }),
    row: css({
      ...columns,
      position: 'absolute',
      left: 0,
      width: '100%',
      alignItems: 'center',
      minHeight: 52,
      padding: theme.spacing(0.75, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      '&:hover': { background: theme.colors.action.hover },
    }),
    runRow: css({ background: theme.colors.background.canvas, minHeight: 44 }),
    wordsRow: css({ display: 'block', background: theme.colors.background.canvas }),
    // Only while the table has the focus does it matter which row the keys act on.
    active: css({
      '[role="grid"]:focus-within &': {
        background: theme.colors.action.selected,
        boxShadow: `inset 3px 0 0 ${theme.colors.primary.main}`,
      },
    }),
    cell: css({ minWidth: 0, overflowWrap: 'anywhere' }),
    number: css({ textAlign: 'right' }),
    card: css({
      position: 'absolute',
      left: 0,
      width: '100%',
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(1),
      padding: theme.spacing(1.5),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
    }),
    cardTop: css({ display: 'flex', gap: theme.spacing(1), justifyContent: 'space-between', alignItems: 'flex-start' }),
    facts: css({
      display: 'grid',
      gridTemplateColumns: 'repeat(auto-fill, minmax(104px, 1fr))',
      gap: theme.spacing(1),
    }),
    factLabel: css({ color: theme.colors.text.secondary }),
    toggle: css({
      flexShrink: 0,
      padding: 0,
      border: 'none',
      background: 'none',
      color: theme.colors.text.secondary,
      lineHeight: 1,
      '&:hover': { color: theme.colors.text.primary },
    }),
    side: css({ display: 'flex', gap: theme.spacing(0.5), alignItems: 'flex-start', minWidth: 0 }),
    sideText: css({ minWidth: 0, flex: 1 }),
    // The end of a path tells sides apart, so the beginning gives way.
    path: css({ ...oneLine, direction: 'rtl', textAlign: 'left', color: theme.colors.text.secondary }),
    label: css({ display: 'flex', flexWrap: 'wrap', columnGap: theme.spacing(1) }),
    said: css({ color: theme.colors.text.secondary }),
    changed: css({ ...oneLine, fontStyle: 'italic' }),
    runPath: css({ paddingLeft: theme.spacing(4), color: theme.colors.text.secondary }),
    words: css({
      margin: 0,
      paddingLeft: theme.spacing(15),
      [theme.breakpoints.down('md')]: { paddingLeft: theme.spacing(3) },
    }),
    wordsPath: css({ color: theme.colors.text.secondary }),
    picks: css({ display: 'inline-flex', gap: theme.spacing(0.5) }),
  };
};

/** The two buttons that choose a side; the letter and the mark carry the choice, the colour repeats it. */
export const getPickStyles = (theme: GrafanaTheme2) => {
  const pressed = (role: 'baseline' | 'candidate') =>
    css({
      borderColor: sideColor(theme, role),
      background: theme.colors.action.selected,
      color: theme.colors.text.primary,
      fontWeight: theme.typography.fontWeightBold,
    });
  return {
    button: css({
      display: 'inline-flex',
      alignItems: 'center',
      justifyContent: 'center',
      gap: theme.spacing(0.5),
      minWidth: 36,
      height: 28,
      padding: theme.spacing(0, 0.75),
      background: 'transparent',
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: theme.shape.radius.default,
      color: theme.colors.text.secondary,
      '&:hover': { background: theme.colors.action.hover, color: theme.colors.text.primary },
    }),
    baseline: pressed('baseline'),
    candidate: pressed('candidate'),
  };
};
