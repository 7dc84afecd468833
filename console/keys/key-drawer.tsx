import { useQuery } from '@tanstack/react-query';
import { ApiCall } from '../kit/api-call.tsx';
import { Badge } from '../kit/badge.tsx';
import { ErrorNote } from '../kit/error-note.tsx';
import { Drawer } from '../kit/overlay/drawer.tsx';
import { Skeleton } from '../kit/placeholder.tsx';
import { Time, useNow } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { AuditTrail } from './audit-trail.tsx';
import { BanNote } from './ban-note.tsx';
import { ChangeKey } from './change-key.tsx';
import { DeprecatedCalls } from './deprecated-calls.tsx';
import { EndKey } from './end-key.tsx';
import { isAdmin } from './key-rules.ts';
import { stateOf } from './key-state.ts';
import { texts } from './texts.ts';
import { UsageView } from './usage-view.tsx';

export const KeyDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { petstore, can } = useSession();
  const now = useNow(10_000);
  const {
    data: key,
    error,
    refetch,
  } = useQuery({ queryKey: ['keys', 'one', id], queryFn: () => petstore.keys.get(id) });
  const state = key && stateOf(key, now);
  return (
    <Drawer title={key?.name ?? texts.key} onClose={onClose}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!key && !error && <Skeleton lines={10} />}
      {key && state && (
        <div className="stack sections">
          <p>
            <Badge tone={state.tone} shape={state.shape}>
              {state.word}
            </Badge>{' '}
            · {key.plan} · {common.store(key.storeId)} · <code>{`${key.prefix}…${key.last4}`}</code> ·{' '}
            {key.lastUsedAt === null ? texts.neverUsed : texts.lastUsed(<Time at={key.lastUsedAt} />)}
          </p>
          <BanNote of={key} />
          {can('ops:read') && (
            <section>
              <h3>{common.usage}</h3>
              <UsageView of={id} ask={() => petstore.keys.usage(id)} />
            </section>
          )}
          {isAdmin(key) && <p className="soft">{texts.adminNote(<code>PETSTORE_ADMIN_KEY</code>)}</p>}
          {key.revokedAt === null && (
            <>
              <section>
                <h3>{texts.edit}</h3>
                <ChangeKey key={`${key.plan} ${key.name} ${key.scopes}`} of={key} />
              </section>
              <section>
                <h3>{texts.rotateOrRevoke}</h3>
                <EndKey of={key} />
              </section>
            </>
          )}
          {can('ops:read') && (
            <>
              <section>
                <h3>{texts.deprecatedCalls}</h3>
                <DeprecatedCalls of={id} />
              </section>
              <section>
                <h3>{texts.auditTrail}</h3>
                <AuditTrail of={id} />
              </section>
            </>
          )}
          <ApiCall method="GET" path={`/keys/${id}`} code={`const key = await petstore.keys.get('${id}');`} />
        </div>
      )}
    </Drawer>
  );
};
