import type { TextField } from './types';

interface Label {
  label: string;
  /** What an empty field means. */
  empty: string;
  tooltip?: string;
}

export const LABELS: Record<TextField, Label> = {
  root: { label: 'Root', empty: 'All roots', tooltip: 'A configured directory that holds results' },
  kind: { label: 'Kind', empty: 'All kinds', tooltip: 'functional, load, recording or mock' },
  side: { label: 'Side', empty: 'All sides', tooltip: 'One directory of a root' },
  baseline: { label: 'Baseline', empty: 'Choose a side' },
  candidate: { label: 'Candidate', empty: 'Choose a side' },
  profile: { label: 'Profile', empty: 'The first profile', tooltip: 'The questions for the service' },
  measure: { label: 'Measure', empty: 'Requests per second' },
};
