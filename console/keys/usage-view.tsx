import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Usage } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { Gauge } from './gauge.tsx';
import { thisHour, usageByHour } from './usage-hours.ts';

const LOOK_AGAIN_MS = 3000;
const MINUTE_MS = 60_000;

/** Usage of a key. Polls every few seconds, so that requests show up as they arrive. */
export const UsageView = ({ of, ask }: { of: string; ask: () => Promise<Usage> }) => {
  const { data, error, refetch } = useQuery({ queryKey: ['usage', of], queryFn: ask, refetchInterval: LOOK_AGAIN_MS });
  const now = useNow(MINUTE_MS);
  const plot = useMemo(() => data && usageByHour(data, now), [data, now]);
  if (error) return <ErrorNote error={error} onRetry={() => refetch()} />;
  if (!data || !plot) return <Skeleton lines={6} />;
  return (
    <div className="stack">
      <Gauge label="This minute" used={data.minute.used} limit={data.minute.limit} resetAt={data.minute.resetAt} />
      <Gauge label="This day" used={data.day.used} limit={data.day.limit} resetAt={data.day.resetAt} />
      <p>
        <strong className="number">{data.pets.used.toLocaleString('en')}</strong> pets in the store
        {data.pets.limit === null ? '' : ` (limit ${data.pets.limit.toLocaleString('en')})`}
      </p>
      <p>
        <strong className="number">{thisHour(data, now).toLocaleString('en')}</strong> requests in this hour
      </p>
      <Plot {...plot} />
    </div>
  );
};
