import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Usage } from '../../client/src/index.ts';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { useNow } from '../kit/time.tsx';
import { texts } from './texts.ts';
import { dayAt, usageByDay, usageOfDay, usageOfLastHours } from './usage-hours.ts';
import { Gauge } from './window-bars.tsx';

/** Every request also appears in the list of the key's latest requests, which has room for 200. */
const REFRESH_MS = 10_000;
const MINUTE_MS = 60_000;
/** Number of days in the chart. 0 means the last 24 hours, shown by hour. */
const PERIODS = [0, 7, 30] as const;
const HEIGHT_PX = { main: 120, hours: 56 };

const showDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

const Charts = ({ usage }: { usage: Usage }) => {
  const now = useNow(MINUTE_MS);
  const [days, setDays] = useState<number>(7);
  const [ago, setAgo] = useState(0);
  const main = useMemo(
    () => (days === 0 ? usageOfLastHours(usage, now) : usageByDay(usage, now, days)),
    [usage, now, days],
  );
  const hours = useMemo(() => usageOfDay(usage, now, ago), [usage, now, ago]);
  return (
    <>
      <section aria-label={texts.usage.requests}>
        <div className="row head">
          <h3>{texts.usage.requests}</h3>
          <fieldset className="segments push">
            <legend className="unseen">{texts.usage.period}</legend>
            {PERIODS.map((period) => (
              <label key={period}>
                <input type="radio" name="period" checked={days === period} onChange={() => setDays(period)} />
                {texts.usage.periods[period]}
              </label>
            ))}
          </fieldset>
        </div>
        <Plot {...main} height={HEIGHT_PX.main} />
      </section>
      {days > 0 && (
        <section aria-label={texts.usage.byHour}>
          <div className="row head">
            <h3>{texts.usage.byHour}</h3>
            <select
              className="push"
              aria-label={texts.usage.day}
              value={ago}
              onChange={({ target }) => setAgo(Number(target.value))}
            >
              {Array.from({ length: days }, (_, index) => index).map((index) => (
                <option key={index} value={index}>
                  {index === 0 ? texts.usage.today : showDay.format(dayAt(now, index))}
                </option>
              ))}
            </select>
          </div>
          <div className="hours">
            <Plot {...hours} height={HEIGHT_PX.hours} />
          </div>
        </section>
      )}
    </>
  );
};

export const UsageView = ({ of, ask }: { of: string; ask: () => Promise<Usage> }) => {
  const { data, error, refetch } = useQuery({ queryKey: ['usage', of], queryFn: ask, refetchInterval: REFRESH_MS });
  if (error) return <ErrorNote error={error} onRetry={() => refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const { minute, day, pets } = data;
  return (
    <>
      <section aria-label={texts.usage.used}>
        <h3>{texts.usage.used}</h3>
        <div className="stack">
          <div className="gauges">
            <Gauge label={texts.usage.perMinute} {...minute} />
            <Gauge label={texts.usage.perDay} {...day} />
            <Gauge label={texts.usage.pets} used={pets.used} limit={pets.limit} note={texts.usage.inStore} />
          </div>
          <p className="soft small">{texts.usage.note}</p>
        </div>
      </section>
      <Charts usage={data} />
    </>
  );
};
