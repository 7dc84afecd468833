import { ErrorNote } from '../kit/error-note.tsx';
import { Panel } from '../kit/panel.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { lastDays, perDay } from './days.ts';
import { texts } from './texts.ts';
import { useEventCounts } from './watched.ts';

export const Sales = ({ isTall }: { isTall: boolean }) => {
  const { data, error, refetch } = useEventCounts();
  const days = lastDays(useNow(60_000));
  return (
    <Panel title={texts.sales.title}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <Plot
          label={texts.sales.plot}
          times={days.map((day) => day / 1000)}
          lines={[{ label: texts.sales.sold, color: 'good', values: perDay(data, days, ({ sold }) => sold) }]}
          isBars
          isDays
          height={isTall ? 320 : 148}
        />
      )}
    </Panel>
  );
};
