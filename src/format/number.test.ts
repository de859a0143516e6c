import {
  formatBucket,
  formatCount,
  formatEdge,
  formatMs,
  formatNumber,
  formatRate,
  formatRatio,
  formatRatioRange,
  formatSeconds,
  formatSecondsChange,
  formatShare,
  plural,
} from './number';

// Plain spaces make the table readable; in the app number and unit never part.
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

type Case = [name: string, got: string, want: string];

const cases: Case[] = [
  ['count with separator', formatCount(1200), '1,200'],
  ['count of zero', formatCount(0), '0'],
  ['unknown count is not zero', formatCount(null), '–'],
  ['undefined count', formatCount(undefined), '–'],
  ['count that is no number', formatCount(NaN), '–'],
  ['endless count', formatCount(Infinity), '–'],
  ['negative count with a true minus', formatCount(-1200), '−1,200'],

  ['small number', formatNumber(0.05), '0.050'],
  ['number below ten', formatNumber(4.97), '5.0'],
  ['number below hundred', formatNumber(46.42), '46.4'],
  ['number of thousands', formatNumber(1142.857), '1,143'],
  ['zero', formatNumber(0), '0'],
  ['tiny number is not zero', formatNumber(0.000475395), '0.00048'],
  ['tiny negative number', formatNumber(-0.00004), '−0.00004'],
  ['next to nothing', formatNumber(4.8e-8), '4.8e-8'],
  ['rate', formatRate(176.8), '177 /s'],

  ['microseconds', formatSeconds(0.00004), '40 µs'],
  ['below a millisecond', formatSeconds(0.0008), '0.80 ms'],
  ['a few milliseconds', formatSeconds(0.0011), '1.1 ms'],
  ['milliseconds', formatSeconds(0.0632), '63 ms'],
  ['hundreds of milliseconds', formatSeconds(0.173), '173 ms'],
  ['just below a second', formatSeconds(0.9994), '999 ms'],
  ['rounds up to a second', formatSeconds(0.9996), '1.00 s'],
  ['seconds', formatSeconds(1.25), '1.25 s'],
  ['tens of seconds', formatSeconds(26.18), '26.2 s'],
  ['no time at all', formatSeconds(0), '0 ms'],
  ['unknown time', formatSeconds(null), '–'],
  ['milliseconds of the replay', formatMs(46), '46 ms'],
  ['many milliseconds of the replay', formatMs(2500), '2.50 s'],
  ['time saved', formatSecondsChange(-0.063), '−63 ms'],
  ['time lost', formatSecondsChange(0.002), '+2.0 ms'],
  ['no change', formatSecondsChange(0), '0 ms'],

  ['edge', formatEdge(0.025), '25 ms'],
  ['edge in seconds', formatEdge(2.5), '2.5 s'],
  ['edge without rounding noise', formatEdge(0.1 + 0.2), '300 ms'],
  ['bucket', formatBucket(0.15, 0.2), '150–200 ms'],
  ['bucket of parts of a millisecond', formatBucket(0.0005, 0.001), '0.5–1 ms'],
  ['bucket over two units', formatBucket(0.75, 1), '750 ms–1 s'],
  ['bucket in seconds', formatBucket(1, 2.5), '1–2.5 s'],
  ['lowest bucket', formatBucket(0, 0.01), 'at most 10 ms'],
  ['lowest bucket without a lower edge', formatBucket(null, 0.01), 'at most 10 ms'],
  ['highest bucket', formatBucket(2.5, null), 'above 2.5 s'],
  ['unknown bucket', formatBucket(null, null), '–'],

  ['share', formatShare(0.589), '59 %'],
  ['small share', formatShare(0.004), '0.4 %'],
  ['share that must not read as nothing', formatShare(0.00001), 'below 0.1 %'],
  ['no share', formatShare(0), '0 %'],
  ['whole', formatShare(1), '100 %'],
  ['share rounds up to ten', formatShare(0.0996), '10 %'],
  ['fall of a share', formatShare(-0.73), '−73 %'],

  ['ratio', formatRatio(3.81), '3.8×'],
  ['large ratio', formatRatio(250.4), '250×'],
  ['ratio range', formatRatioRange(3, 8), '3.0× to 8.0×'],
  ['ratio range of one value', formatRatioRange(3, 3.001), '3.0×'],
  ['ratio range open above', formatRatioRange(3, null), 'at least 3.0×'],
  ['ratio range open below', formatRatioRange(null, 8), 'at most 8.0×'],
  ['unknown ratio range', formatRatioRange(null, null), '–'],

  ['one', plural(1, 'run'), '1 run'],
  ['many', plural(1200, 'request'), '1,200 requests'],
  ['own plural', plural(2, 'query', 'queries'), '2 queries'],
];

test.each(cases)('%s', (_name, got, want) => {
  expect(plain(got)).toBe(want);
});

test('number and unit never part at the end of a line', () => {
  expect(formatSeconds(0.063)).toBe('63\u00a0ms');
});
