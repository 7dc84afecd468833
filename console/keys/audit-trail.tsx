import { Link } from 'wouter';
import type { AuditEntry } from '../../client/src/index.ts';
import { useList } from '../data/list.ts';
import { useActorName } from '../data/use-key-names.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { isolated } from '../kit/text.ts';
import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { texts } from './texts.ts';

const Subject = ({ of: { object } }: { of: AuditEntry['data'] }) =>
  'name' in object ? (
    <Link href={`/keys?key=${object.id}`}>{isolated(object.name)}</Link>
  ) : (
    <Link href={`/webhooks?webhook=${object.id}`}>{object.url}</Link>
  );

export const AuditTrail = ({ of }: { of?: string }) => {
  const { petstore } = useSession();
  const nameOf = useActorName();
  const trail = useList(['keys', 'audit'], (query) => petstore.audit.list({ ...query, order: 'desc' }));
  const rows = trail.rows.filter(({ data }) => of === undefined || data.object.id === of);
  if (trail.error) return <ErrorNote error={trail.error} onRetry={trail.retry} />;
  return (
    <div className="stack">
      <ol className="items trail">
        {rows.map(({ id, type, timestamp, data, actor, address, requestId }) => (
          <li key={id}>
            <span>
              {texts.audit.words[type]}
              {of === undefined && (
                <>
                  {': '}
                  <Subject of={data} />
                </>
              )}
            </span>
            <Time at={timestamp} />
            <span className="soft" title={requestId ?? undefined}>
              {actor ? texts.audit.by(nameOf(actor.keyId)) : common.byService}
              {address && texts.audit.from(address)}
            </span>
          </li>
        ))}
      </ol>
      {trail.isLoading && <Skeleton />}
      {!trail.isLoading && rows.length === 0 && <p className="soft">{texts.audit.none}</p>}
      {trail.more && <Button onClick={trail.more}>{common.loadMore}</Button>}
    </div>
  );
};
