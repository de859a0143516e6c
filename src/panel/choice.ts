import type { Problem } from '../api/problem';

/** What the options come to once the dashboard's variables are filled in. */
export interface Choice {
  baseline: string;
  candidate: string;
  profile: string;
}

const TITLE = 'The panel does not know what to compare';

// Grafana leaves the name of a variable that does not exist in the text.
const VARIABLE = /\$\{?(\w+)[^\s]*|\[\[(\w+)\]\]/;

/** Grafana writes several values as "{a,b}". A side's id never begins with a brace. */
const isSeveral = (value: string) => value.startsWith('{') && value.endsWith('}');

function fault(role: string, value: string): Pick<Problem, 'code' | 'detail' | 'next'> | null {
  if (value === '') {
    return {
      code: 'not_chosen',
      detail: `No ${role} is chosen.`,
      next: `Choose a ${role} in the panel’s options, or fill the dashboard variable that the option names.`,
    };
  }
  const variable = VARIABLE.exec(value);
  if (variable) {
    const name = variable[1] ?? variable[2] ?? '';
    return {
      code: 'no_variable',
      detail: `The ${role} is ${value}, and the dashboard has no variable called ${name}.`,
      next: `Add a query variable ${name} of the data source "Replay Evidence", or choose a side in the panel’s options.`,
    };
  }
  if (isSeveral(value)) {
    return {
      code: 'several_sides',
      detail: `The ${role} is ${value}: several sides at once.`,
      next: 'Choose one side; switch "Multi-value" and "Include All option" off in the variable.',
    };
  }
  return null;
}

/** Says why a choice cannot be compared, or null when it can. */
export function faultOf({ baseline, candidate }: Choice): Problem | null {
  const found = fault('baseline', baseline) ?? fault('candidate', candidate);
  return found && { status: 0, title: TITLE, ...found };
}

/** Grafana itself answers 404 for an app that is not installed or not enabled: the panel then is a guest without a host. */
export function explain(problem: Problem): Problem {
  if (problem.code === '' && problem.status === 404) {
    return {
      ...problem,
      title: 'The app "Replay Evidence" is not enabled',
      next: 'Ask an administrator to enable it under Administration, Plugins, Replay Evidence; this panel asks the app.',
    };
  }
  return problem;
}
