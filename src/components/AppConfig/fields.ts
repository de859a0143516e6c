import type { Faults } from './faults';
import type { Draft } from './settings';

/** What every group of fields gets. */
export interface FieldsProps {
  draft: Draft;
  faults: Faults;
  change: (change: Partial<Draft>) => void;
  /** True when nothing can be saved: everything can be read, nothing changed. */
  locked: boolean;
}
