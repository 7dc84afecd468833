import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Usage } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { showCount } from '../kit/text.ts';
import { useNow } from '../kit/time.tsx';
import { Gauge } from './gauge.tsx';
import { texts } from './texts.ts';
import { thisHour, usageByHour } from './usage-hours.ts';

const REFRESH_MS = 3000;
const MINUTE_MS = 60_000;

export const UsageView = ({ of, ask }: { of: string; ask: () => Promise<Usage> }) => {
  const { data, error, refetch } = useQuery({ queryKey: ['usage', of], queryFn: ask, refetchInterval: REFRESH_MS });
  const now = useNow(MINUTE_MS);
  const plot = useMemo(() => data && usageByHour(data, now), [data, now]);
  if (error) return <ErrorNote error={error} onRetry={() => refetch()} />;
  if (!data || !plot) return <Skeleton lines={6} />;
  return (
    <div className="stack">
      <Gauge
        label={texts.usage.perMinute}
        used={data.minute.used}
        limit={data.minute.limit}
        resetAt={data.minute.resetAt}
      />
      <Gauge label={texts.usage.perDay} used={data.day.used} limit={data.day.limit} resetAt={data.day.resetAt} />
      <p>
        {texts.usage.pets(<strong className="number">{showCount(data.pets.used)}</strong>)}
        {data.pets.limit === null ? '' : texts.usage.petsLimit(data.pets.limit)}
      </p>
      <p>{texts.usage.thisHour(<strong className="number">{showCount(thisHour(data, now))}</strong>)}</p>
      <Plot {...plot} />
    </div>
  );
};
