import { Link } from 'wouter';
import { useCounts } from '../data/use-counts.ts';
import { StatusBadge } from '../kit/badge.tsx';
import { Panel } from '../kit/panel.tsx';
import { showCount } from '../kit/text.ts';
import { useSession } from '../session/session.ts';
import { texts } from './texts.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

export const Stock = () => {
  const { can } = useSession();
  const { data } = useCounts();
  const all = data ? data.available + data.pending + data.sold : 0;
  return (
    <Panel
      title={texts.stock.title}
      end={can('events:read') && <Link href="/orders#inventory">{texts.stock.history}</Link>}
    >
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
    </Panel>
  );
};
