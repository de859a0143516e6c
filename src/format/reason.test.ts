import { reasonText } from './reason';

test.each([
  ['window_in_future', 'the window lies in the future of the server: the clocks differ'],
  ['unit_conflict', 'the sums conflict with the buckets: the metric is probably not in seconds'],
  ['absent_series', 'this server has no such series in the window'],
  ['not_yet_known_code', 'not yet known code'],
  [undefined, 'not known'],
  ['', 'not known'],
])('the code %s reads "%s"', (code, words) => {
  expect(reasonText(code)).toBe(words);
});
