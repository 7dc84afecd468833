import type { Usage } from '../../client/src/index.ts';
import type { PlotData } from '../kit/plot/plot-data.ts';
import { texts } from './texts.ts';

const HOUR_MS = 3_600_000;

const CLASSES: { label: string; color: PlotData['lines'][number]['color']; fits: (status: number) => boolean }[] = [
  { label: texts.usage.classes.good, color: 'good', fits: (status) => status < 400 },
  {
    label: texts.usage.classes.refused,
    color: 'soft',
    fits: (status) => status >= 400 && status < 500 && status !== 429,
  },
  { label: texts.usage.classes.limited, color: 'warn', fits: (status) => status === 429 },
  { label: texts.usage.classes.failed, color: 'bad', fits: (status) => status >= 500 },
];

type Slot = { from: number; to: number };

/** The service leaves out hours in which there were no requests, so all counts start at 0. */
const plotSlots = ({ hours }: Usage, slots: readonly Slot[], label: string): PlotData => {
  const counts = CLASSES.map(() => slots.map(() => 0));
  for (const { hour, byStatus } of hours) {
    const at = Date.parse(hour);
    const slot = slots.findIndex(({ from, to }) => at >= from && at < to);
    if (slot === -1) continue;
    for (const [status, count] of Object.entries(byStatus)) {
      const row = counts[CLASSES.findIndex(({ fits }) => fits(Number(status)))];
      if (row) row[slot] = (row[slot] ?? 0) + count;
    }
  }
  return {
    label,
    times: slots.map(({ from }) => from / 1000),
    lines: CLASSES.map(({ label, color }, index) => ({ label, color, values: counts[index] ?? [] })),
    isStacked: true,
    isBars: true,
  };
};

/**
 * Returns midnight in the reader's time zone, `ago` days before today. Does not subtract multiples of 24 hours, because
 * a day has 23 or 25 hours when the clocks change.
 */
export const dayAt = (now: number, ago: number): number => {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - ago).getTime();
};

const hoursBetween = (from: number, to: number): Slot[] =>
  Array.from({ length: Math.round((to - from) / HOUR_MS) }, (_, index) => ({
    from: from + index * HOUR_MS,
    to: from + (index + 1) * HOUR_MS,
  }));

export const usageOfLastHours = (usage: Usage, now: number, hours = 24): PlotData => {
  const end = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  return plotSlots(usage, hoursBetween(end - hours * HOUR_MS, end), texts.usage.byHour);
};

export const usageOfDay = (usage: Usage, now: number, ago: number): PlotData =>
  plotSlots(usage, hoursBetween(dayAt(now, ago), dayAt(now, ago - 1)), texts.usage.byHour);

export const usageByDay = (usage: Usage, now: number, days: number): PlotData => {
  const slots = Array.from({ length: days }, (_, index) => ({
    from: dayAt(now, days - 1 - index),
    to: dayAt(now, days - 2 - index),
  }));
  return { ...plotSlots(usage, slots, texts.usage.byDay), isDays: true };
};
