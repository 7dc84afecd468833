import { useList } from '../data/list.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

export const AuditTrail = ({ of }: { of?: string }) => {
  const { petstore } = useSession();
  const trail = useList(['audit'], (query) => petstore.audit.list({ ...query, order: 'desc' }));
  const rows = trail.rows.filter(({ data }) => of === undefined || data.object.id === of);
  if (trail.error) return <ErrorNote error={trail.error} onRetry={trail.retry} />;
  return (
    <div className="stack">
      <ol className="items">
        {rows.map(({ id, type, timestamp, data, actor, address, requestId }) => (
          <li key={id}>
            <strong>{type}</strong>{' '}
            {of === undefined && <span>{'name' in data.object ? data.object.name : data.object.url}</span>}
            <div className="soft">
              <Time at={timestamp} /> · {actor ? common.by(actor.keyId) : common.byService}
              {address && texts.audit.from(address)}
              {requestId && ` · ${requestId}`}
            </div>
          </li>
        ))}
      </ol>
      {trail.isLoading && <Skeleton />}
      {!trail.isLoading && rows.length === 0 && <p className="soft">{texts.audit.none}</p>}
      {trail.more && <Button onClick={trail.more}>{common.loadMore}</Button>}
    </div>
  );
};
