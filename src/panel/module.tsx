import { PanelPlugin, SelectableValue } from '@grafana/data';

import { EvidencePanel } from './EvidencePanel';
import { DEFAULTS, EvidenceOptions, Part } from './options';
import { PickerOption, PickerSettings } from './PickerOption';

const SIDES: PickerSettings = { offers: 'sides' };
const PROFILES: PickerSettings = { offers: 'profiles' };

const PART_OPTIONS: Array<{ value: Part; label: string }> = [
  { value: 'answers', label: 'Answers' },
  { value: 'table', label: 'Evidence table' },
  { value: 'time', label: 'Where the time goes' },
];

export const plugin = new PanelPlugin<EvidenceOptions>(EvidencePanel).setPanelOptions((builder) =>
  builder
    .addCustomEditor<PickerSettings, string>({
      id: 'baseline',
      path: 'baseline',
      name: 'Baseline',
      description: 'A side, or a dashboard variable that holds one',
      editor: PickerOption,
      settings: SIDES,
      defaultValue: DEFAULTS.baseline,
    })
    .addCustomEditor<PickerSettings, string>({
      id: 'candidate',
      path: 'candidate',
      name: 'Candidate',
      description: 'A side, or a dashboard variable that holds one',
      editor: PickerOption,
      settings: SIDES,
      defaultValue: DEFAULTS.candidate,
    })
    .addCustomEditor<PickerSettings, string>({
      id: 'profile',
      path: 'profile',
      name: 'Profile',
      description: 'The questions for the service; empty takes the first that the app has',
      editor: PickerOption,
      settings: PROFILES,
      defaultValue: DEFAULTS.profile,
    })
    .addMultiSelect({
      path: 'parts',
      name: 'Show',
      description: 'The size of the panel decides in how much detail',
      defaultValue: DEFAULTS.parts,
      // The builder's type takes the type of the list for that of each option.
      settings: { options: PART_OPTIONS as unknown as Array<SelectableValue<Part[]>> },
    })
);
