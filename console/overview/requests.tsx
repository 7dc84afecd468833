import type { Usage } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { texts } from './texts.ts';
import { useUsages } from './watched.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;

const CLASSES = [
  { label: '2xx success', color: 'good', begins: '2' },
  { label: '3xx not modified', color: 'soft', begins: '3' },
  { label: '4xx client error', color: 'warn', begins: '4' },
  { label: '5xx server error', color: 'bad', begins: '5' },
] as const;

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
    <section className="card" aria-label={texts.requests.title}>
      <h2>{texts.requests.title}</h2>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <Plot
          label={data.length === 1 ? texts.requests.ownKey : texts.requests.keys(data.length)}
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
