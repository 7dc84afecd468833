import { Link } from 'wouter';
import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { countIn, lastHours } from './request-hours.ts';
import { texts } from './texts.ts';
import { useUsages } from './watched.ts';

const CLASSES = [
  { label: texts.requests.successful, color: 'good', begins: '123' },
  { label: texts.requests.refused, color: 'warn', begins: '4' },
  { label: texts.requests.failed, color: 'bad', begins: '5' },
] as const;

export const Requests = () => {
  const { data, error, refetch } = useUsages();
  const hours = lastHours(useNow(60_000));
  return (
    <Panel title={texts.requests.title} end={<Link href="/keys">{texts.requests.allKeys}</Link>}>
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
          height={132}
        />
      )}
    </Panel>
  );
};
