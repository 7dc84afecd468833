import type { Usage } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { useUsages } from './watched.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

const CLASSES = [
  { label: '2xx done', color: 'good', begins: '2' },
  { label: '3xx unchanged', color: 'soft', begins: '3' },
  { label: '4xx refused', color: 'warn', begins: '4' },
  { label: '5xx failed', color: 'bad', begins: '5' },
] as const;

/** Requests of all keys in one hour whose status starts with `begins`. */
const countIn = (usages: readonly Usage[], hour: number, begins: string): number =>
  usages
    .flatMap(({ hours }) => hours.filter((entry) => Date.parse(entry.hour) === hour))
    .flatMap(({ byStatus }) => Object.entries(byStatus))
    .reduce((sum, [status, count]) => (status.startsWith(begins) ? sum + count : sum), 0);

export const Requests = () => {
  const { data, error, refetch } = useUsages();
  const now = useNow(60_000);
  const last = Math.floor(now / HOUR_MS);
  const hours = Array.from({ length: HOURS }, (_, index) => (last - HOURS + 1 + index) * HOUR_MS);
  return (
    <section className="card" aria-label="Requests by status">
      <h2>Requests by status</h2>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <Plot
          label={
            data.length === 1
              ? 'Of this key, by the hour, in the last 24 hours'
              : `Of the ${data.length} keys that were used last, by the hour, in the last 24 hours`
          }
          times={hours.map((hour) => hour / 1000)}
          lines={CLASSES.map(({ label, color, begins }) => ({
            label,
            color,
            values: hours.map((hour) => countIn(data, hour, begins)),
          }))}
          isBars
          isStacked
          height={180}
        />
      )}
    </section>
  );
};
