import type { SideRow } from '../../types/generated';
import { chosenOf, combine, includes, pick, Picks, refusal } from './picks';

const side = (id: string): SideRow => {
  const at = id.indexOf('/');
  return { id, root: id.slice(0, at), path: id.slice(at + 1), label: id, declared: null, runs: [], problems: [] };
};
const none: Picks = { baseline: '', candidate: '' };
const [a, b, elsewhere] = [side('lab/results/a'), side('lab/results/b'), side('other/c')];

test('choosing and taking back', () => {
  const chosen = pick(none, 'baseline', a);
  expect(chosen).toEqual({ baseline: 'lab/results/a', candidate: '' });
  expect(pick(chosen, 'baseline', a)).toEqual(none);
});

test('a side is never compared with itself', () => {
  expect(pick({ baseline: a.id, candidate: b.id }, 'candidate', a)).toEqual({ baseline: '', candidate: a.id });
  expect(pick({ baseline: a.id, candidate: b.id }, 'baseline', b)).toEqual({ baseline: b.id, candidate: '' });
});

test('directories of one root are added and taken out again', () => {
  const combined = combine({ ...none, baseline: a.id }, 'baseline', b);
  expect(combined.baseline).toBe('lab/results/a+results/b');
  expect(includes(combined.baseline, a)).toBe(true);
  expect(includes(combined.baseline, b)).toBe(true);
  expect(includes(combined.baseline, elsewhere)).toBe(false);
  expect(combine(combined, 'baseline', b).baseline).toBe(a.id);
});

test('what cannot be added is refused in words and changes nothing', () => {
  expect(refusal(none, 'candidate', a)).toMatch(/Choose a candidate first/);
  const picks = { ...none, baseline: a.id };
  expect(refusal(picks, 'baseline', elsewhere)).toMatch(/same root/);
  expect(combine(picks, 'baseline', elsewhere)).toBe(picks);
  expect(combine(picks, 'baseline', a)).toBe(picks);
});

test('a plus sign in a name is part of the name', () => {
  const plus = side('lab/a+b&c');
  expect(chosenOf(plus.id, [a, plus])).toEqual([plus]);
  expect(refusal({ ...none, baseline: a.id }, 'baseline', plus)).toMatch(/plus sign/);
  expect(chosenOf('lab/results/a+results/b', [a, b])).toEqual([a, b]);
  expect(chosenOf('lab/results/a+gone', [a, b])).toEqual([a, undefined]);
});
