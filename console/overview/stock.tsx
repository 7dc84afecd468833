import { Link } from 'wouter';
import { useCounts } from '../data/use-counts.ts';
import { StatusBadge } from '../kit/badge.tsx';
import { Panel } from '../kit/panel.tsx';
import { Plot } from '../kit/plot/plot.tsx';
import { showCount } from '../kit/text.ts';
import { useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { countOf, lastDays, perDay } from './days.ts';
import { texts } from './texts.ts';
import { useEventCounts } from './watched.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

const Added = () => {
  const { data } = useEventCounts();
  const days = lastDays(useNow(60_000));
  return data ? (
    <Plot
      label={texts.stock.plot}
      times={days.map((day) => day / 1000)}
      lines={[{ label: texts.stock.added, color: 'soft', values: perDay(data, days, countOf('pet.created')) }]}
      isBars
      isDays
      height={72}
    />
  ) : null;
};

export const Stock = () => {
  const { can } = useSession();
  const { data } = useCounts();
  const all = data ? data.available + data.pending + data.sold : 0;
  return (
    <Panel title={texts.stock.title} end={can('pets:read') && <Link href="/pets">{texts.stock.allPets}</Link>}>
      <ul className="shelf">
        {STATUSES.map((status) => (
          <li key={status}>
            {can('pets:read') ? (
              <Link href={`/pets?status=${status}`}>
                <StatusBadge status={status} />
              </Link>
            ) : (
              <StatusBadge status={status} />
            )}
            <meter className={status} min={0} max={Math.max(1, all)} value={data?.[status] ?? 0} aria-label={status} />
            <span className="number">{data ? showCount(data[status]) : '–'}</span>
          </li>
        ))}
      </ul>
      <Added />
    </Panel>
  );
};
