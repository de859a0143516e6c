import { reasonText } from './reason';
import { formatElapsed, formatUtc } from './time';

test.each([
  [0, '0 s'],
  [6.75, '6.8 s'],
  [26.2, '26 s'],
  [65, '1:05 min'],
  [3600, '60:00 min'],
])('elapsed %s', (seconds, want) => {
  expect(formatElapsed(seconds)).toBe(want);
});

test('an instant in UTC keeps every digit it was sent with', () => {
  expect(formatUtc('2026-11-30T12:00:26.125Z')).toBe('2026-11-30 12:00:26.125 UTC');
});

test('reasons read as words, known or not', () => {
  expect(reasonText('no_observations')).toBe('no observations in this window');
  expect(reasonText('a_new_reason')).toBe('a new reason');
  expect(reasonText(undefined)).toBe('not known');
});
