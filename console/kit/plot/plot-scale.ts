import type { PlotData } from './plot-data.ts';

const NICE = [1, 2, 4, 6, 10];

/** Returns a round number that is at least `most`. Half of it, which labels the middle of the axis, is also round. */
export const niceTop = (most: number): number => {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (NICE.find((step) => step * power >= most) ?? 10) * power;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const STEPS = [
  ...[1, 5, 15, 30].map((step) => step * MINUTE),
  ...[1, 3, 6, 12].map((step) => step * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((step) => step * DAY),
];

/** Returns the times, in seconds, at which to label an axis. Each is a round local time; there are about `most` labels. */
export const timeTicks = (from: number, to: number, most: number, zoneMinutes: number): number[] => {
  const step = STEPS.find((one) => (to - from) / one <= Math.max(1, most)) ?? 365 * DAY;
  const shift = zoneMinutes * MINUTE;
  const first = Math.ceil((from - shift) / step) * step + shift;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
};

/** The width of one character in a label, rounded up, and the minimum gap between two labels. */
const [CHAR_PX, GAP_PX] = [6.5, 8];

type Label = { x: number; text: string };
type PlacedLabel = Label & { side: 'first' | 'last' | '' };

/** Keeps labels inside the chart's edges, and leaves out any label that would touch the previous one. */
export const placeLabels = (labels: readonly Label[], width: number): PlacedLabel[] => {
  let end = Number.NEGATIVE_INFINITY;
  return labels.flatMap(({ x, text }): PlacedLabel[] => {
    const taken = text.length * CHAR_PX;
    const side = x < taken / 2 ? 'first' : x > width - taken / 2 ? 'last' : '';
    const from = { first: 0, last: width - taken, '': x - taken / 2 }[side];
    if (from < end + GAP_PX) return [];
    end = from + taken;
    return [{ x, text, side }];
  });
};

const asTime = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const asHour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' });
const asDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const asLongDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const asBoth = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

export const showTick = (seconds: number, span: number): string => {
  const shown = span > 6 * HOUR ? asHour : asTime;
  return (span > 2 * DAY ? asDay : shown).format(seconds * 1000);
};

export const showMoment = (seconds: number, isDay = false): string =>
  (isDay ? asLongDay : asBoth).format(seconds * 1000);

export const stackLines = ({ lines, isStacked = false }: PlotData): { from: number; to: number | null }[][] => {
  const sums: number[] = [];
  return lines.map(({ values }) =>
    values.map((value, index) => {
      const from = isStacked ? (sums[index] ?? 0) : 0;
      sums[index] = from + (value ?? 0);
      return { from, to: value === null ? null : sums[index] };
    }),
  );
};
