import type { PlotData } from '../kit/plot/plot-data.ts';
import { rateOf, type Snapshot } from './figures.ts';
import type { Sample } from './metrics-text.ts';
import { texts } from './texts.ts';

export type Line = Omit<PlotData['lines'][number], 'values'> & {
  value: (before: Snapshot, now: Snapshot) => number | null;
};

const ERRORS = 'petstore_http_errors_total';
/** Maximum number of error codes with a line of their own. All other codes share one more line. */
const MAX_LINES = 6;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [12, 6], [1, 6]];

const colorOf = ({ status = '' }: Sample['labels']): Line['color'] => {
  if (status.startsWith('5')) return 'bad';
  return status === '429' ? 'warn' : 'soft';
};

const errorsOf = (snapshot: Snapshot | undefined): Sample[] =>
  snapshot?.samples.filter(({ name }) => name === ERRORS) ?? [];

/** If a counter has fallen, the service was restarted. */
const risenCodes = (snapshots: readonly Snapshot[]): Sample['labels'][] => {
  const risen = new Map<string, { labels: Sample['labels']; rise: number; last: number }>();
  for (const snapshot of snapshots) {
    for (const { labels, value } of errorsOf(snapshot)) {
      const known = risen.get(labels.code ?? '');
      const rise = known ? known.rise + (value >= known.last ? value - known.last : value) : 0;
      risen.set(labels.code ?? '', { labels, rise, last: value });
    }
  }
  return [...risen.values()]
    .filter(({ rise }) => rise > 0)
    .sort((one, other) => other.rise - one.rise)
    .map(({ labels }) => labels);
};

export const errorLines = (snapshots: readonly Snapshot[]): readonly Line[] => {
  const codes = risenCodes(snapshots);
  const rest = codes.slice(MAX_LINES);
  // Sorts by name, because codes with equal counts would otherwise swap places.
  const most = codes.slice(0, MAX_LINES).sort((one, other) => ((one.code ?? '') < (other.code ?? '') ? -1 : 1));
  const drawn = most.map((labels, index, all): Line => {
    const color = colorOf(labels);
    const alike = all.slice(0, index).filter((before) => colorOf(before) === color).length;
    return {
      label: labels.code ?? '',
      color,
      dash: DASHES[alike] ?? [],
      value: (before, now) => rateOf(before, now, ERRORS, ({ code }) => code === labels.code),
    };
  });
  const isRest = ({ code }: Sample['labels']) => rest.some((other) => other.code === code);
  const others: Line = {
    label: rest.length > 0 ? texts.otherCodes : texts.noErrors,
    color: 'accent',
    value: (before, now) => rateOf(before, now, ERRORS, rest.length > 0 ? isRest : undefined),
  };
  return drawn.length > 0 && rest.length === 0 ? drawn : [...drawn, others];
};
