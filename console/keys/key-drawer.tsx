import { useQuery } from '@tanstack/react-query';
import { Check, KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../client/src/index.ts';
import { usePoll } from '../data/poll.ts';
import { ChangesByKey } from '../events/changes-by-key.tsx';
import { ApiCall } from '../kit/api-call.tsx';
import { Button } from '../kit/button.tsx';
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
import { isAdmin, SCOPES } from './key-rules.ts';
import { RequestLog } from './request-log.tsx';
import { texts } from './texts.ts';
import { UsageView } from './usage-view.tsx';
import { StateBadge } from './window-bars.tsx';

export const Permissions = ({ of, onChange }: { of: Key; onChange?: (() => void) | undefined }) => (
  <section aria-label={texts.can}>
    <div className="row head">
      <h3>{texts.can}</h3>
      {onChange && (
        <Button kind="quiet" className="small push" onClick={onChange}>
          {texts.edit}
        </Button>
      )}
    </div>
    <ul className="chips">
      {of.scopes.map((scope) => (
        <li key={scope} title={`${scope}: ${SCOPES[scope].words}`}>
          <Check className="icon s" />
          {SCOPES[scope].title}
        </li>
      ))}
    </ul>
  </section>
);

const Head = ({ of }: { of: Key }) => {
  const now = useNow(10_000);
  return (
    <div className="key-head">
      <span className="tile">
        <KeyRound className="icon l" />
      </span>
      <div className="grow">
        <p>
          {texts.summary(
            of.plan,
            <Time at={of.createdAt} />,
            of.expiresAt === null ? undefined : <Time at={of.expiresAt} />,
          )}
        </p>
        <p>
          {common.storeTitle(of.storeId)} · <code>{`${of.prefix}…${of.last4}`}</code> ·{' '}
          {of.lastUsedAt === null ? texts.neverUsed : texts.lastUsed(<Time at={of.lastUsedAt} />)}
        </p>
      </div>
      <StateBadge of={of} now={now} />
    </div>
  );
};

const Story = ({ of, isEditing, setEditing }: { of: Key; isEditing: boolean; setEditing: (is: boolean) => void }) => {
  const { petstore, can, me } = useSession();
  const isFixed = of.revokedAt !== null || isAdmin(of);
  return (
    <div className="stack sections">
      <Head of={of} />
      <BanNote of={of} />
      {isEditing && (
        <section aria-label={texts.edit}>
          <ChangeKey of={of} onClose={() => setEditing(false)} />
        </section>
      )}
      {!isEditing && <Permissions of={of} onChange={isFixed ? undefined : () => setEditing(true)} />}
      {isAdmin(of) && <p className="soft">{texts.adminNote(<code>PETSTORE_ADMIN_KEY</code>)}</p>}
      {can('ops:read') && <UsageView of={of.id} ask={() => petstore.keys.usage(of.id)} />}
      {can('events:read') && of.storeId === me.storeId && <ChangesByKey of={of.id} />}
      {of.storeId !== me.storeId && <p className="soft">{texts.otherStore(of.storeId)}</p>}
      {can('ops:read') && (
        <section>
          <h3>{texts.auditTrail}</h3>
          <AuditTrail of={of.id} />
        </section>
      )}
      <RequestLog of={of.id} ask={() => petstore.keys.requests(of.id)} />
      {can('ops:read') && (
        <section>
          <h3>{texts.deprecatedCalls}</h3>
          <DeprecatedCalls of={of.id} />
        </section>
      )}
      <ApiCall method="GET" path={`/keys/${of.id}`} code={`const key = await petstore.keys.get('${of.id}');`} />
    </div>
  );
};

export const KeyDrawer = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { petstore } = useSession();
  const [isEditing, setEditing] = useState(false);
  const {
    data: key,
    error,
    refetch,
  } = useQuery({ queryKey: ['keys', 'one', id], queryFn: () => petstore.keys.get(id) });
  usePoll(() => void refetch());
  const isFixed = !key || key.revokedAt !== null || isAdmin(key);
  return (
    <Drawer isBig title={key?.name ?? texts.key} onClose={onClose} footer={!isFixed && <EndKey of={key} />}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!key && !error && <Skeleton lines={10} />}
      {key && <Story of={key} isEditing={isEditing} setEditing={setEditing} />}
    </Drawer>
  );
};
