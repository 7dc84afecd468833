import type { Usage } from '../../client/src/index.ts';
import type { PlotData } from '../kit/plot/plot-data.ts';
import { texts } from './texts.ts';

const HOUR_S = 3600;
const DAYS = 30;

const CLASSES: { label: string; color: PlotData['lines'][number]['color']; fits: (status: number) => boolean }[] = [
  { label: 'success', color: 'good', fits: (status) => status < 400 },
  { label: 'client error (4xx)', color: 'warn', fits: (status) => status >= 400 && status < 500 && status !== 429 },
  { label: 'rate-limited (429)', color: 'bad', fits: (status) => status === 429 },
  { label: 'server error (5xx)', color: 'soft', fits: (status) => status >= 500 },
];

/** The service leaves out hours without requests, so the console adds them with a count of zero. */
export const usageByHour = ({ hours }: Usage, now: number): PlotData => {
  const last = Math.floor(now / 1000 / HOUR_S) * HOUR_S;
  const times = Array.from({ length: DAYS * 24 }, (_, index) => last - (DAYS * 24 - 1 - index) * HOUR_S);
  const byTime = new Map(hours.map(({ hour, byStatus }) => [Date.parse(hour) / 1000, Object.entries(byStatus)]));
  const count = (time: number, fits: (status: number) => boolean): number =>
    (byTime.get(time) ?? []).reduce((sum, [status, count]) => sum + (fits(Number(status)) ? count : 0), 0);
  return {
    label: texts.usage.plot,
    times,
    lines: CLASSES.map(({ label, color, fits }) => ({ label, color, values: times.map((time) => count(time, fits)) })),
    isStacked: true,
    isBars: true,
  };
};

export const thisHour = ({ hours }: Usage, now: number): number => {
  const last = Math.floor(now / 1000 / HOUR_S) * HOUR_S;
  return hours.find(({ hour }) => Date.parse(hour) / 1000 === last)?.total ?? 0;
};
