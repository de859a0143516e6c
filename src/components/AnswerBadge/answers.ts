import { GrafanaTheme2, IconName } from '@grafana/data';

/** How an answer is to be taken; the sign and the word carry it, the colour only repeats it. */
export type Tone = 'good' | 'bad' | 'plain' | 'told' | 'unsure';

export interface AnswerLook {
  word: string;
  icon: IconName;
  tone: Tone;
}

// The words of the three answers. Each has its own sign, so that no two differ by colour alone.
const LOOKS: Record<string, AnswerLook> = {
  unchanged: { word: 'Unchanged', icon: 'check', tone: 'good' },
  changed: { word: 'Changed', icon: 'exclamation-triangle', tone: 'bad' },
  improved: { word: 'Improved', icon: 'arrow-down', tone: 'good' },
  regressed: { word: 'Regressed', icon: 'arrow-up', tone: 'bad' },
  'no provable change': { word: 'No provable change', icon: 'arrows-h', tone: 'plain' },
  wait: { word: 'Wait', icon: 'hourglass', tone: 'told' },
  work: { word: 'Work', icon: 'cog', tone: 'told' },
  'wait and work': { word: 'Wait and work', icon: 'layer-group', tone: 'told' },
  unexplained: { word: 'Unexplained', icon: 'search', tone: 'unsure' },
  inconclusive: { word: 'Inconclusive', icon: 'question-circle', tone: 'unsure' },
};

/** The look of an answer. A word this version does not know is shown as it is, as unsure. */
export function lookOf(answer: string): AnswerLook {
  return LOOKS[answer] ?? { word: answer, icon: 'question-circle', tone: 'unsure' };
}

export function toneColor(theme: GrafanaTheme2, tone: Tone): { text: string; border: string } {
  switch (tone) {
    case 'good':
      return { text: theme.colors.success.text, border: theme.colors.success.border };
    case 'bad':
      return { text: theme.colors.error.text, border: theme.colors.error.border };
    case 'told':
      return { text: theme.colors.info.text, border: theme.colors.info.border };
    case 'unsure':
      return { text: theme.colors.warning.text, border: theme.colors.warning.border };
    case 'plain':
      return { text: theme.colors.text.primary, border: theme.colors.border.strong };
  }
}
