import { Time } from '../kit/time.tsx';
import { useSession } from '../session/session.ts';
import { common } from '../texts.ts';
import { SCOPES } from './key-rules.ts';
import { texts } from './texts.ts';
import { UsageView } from './usage-view.tsx';

export const OwnKey = () => {
  const { petstore, me } = useSession();
  return (
    <div className="cards">
      <section className="card">
        <h2>{me.name}</h2>
        <p>
          {me.plan} · {common.store(me.storeId)} · <code>{`${me.prefix}…${me.last4}`}</code>
        </p>
        <p>
          {texts.own.created(<Time at={me.createdAt} />)}
          {me.expiresAt !== null && texts.own.expires(<Time at={me.expiresAt} />)}
        </p>
        <ul className="items">
          {me.scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code> {SCOPES[scope]}
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>{common.usage}</h2>
        <UsageView of="me" ask={() => petstore.usage.get()} />
      </section>
    </div>
  );
};
