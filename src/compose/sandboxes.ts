import { SYSTEM_CALL } from '../kernel/operation.ts';
import type { RandomText } from '../kernel/random-id.ts';
import type { WriteInStore } from '../kernel/write-in-store.ts';
import { issueKey } from '../resources/keys/create-key.ts';
import { limitsOf, PLAIN_SCOPES } from '../resources/keys/key.ts';
import { makeSecret } from '../resources/keys/secret.ts';
import type { Resets } from '../resources/sandbox/finish-resets.ts';
import type { Backend } from './backend.ts';
import type { Repositories } from './repositories.ts';

type Deps = Pick<Backend, 'database' | 'clock'> & { randomText: RandomText; resets: Pick<Resets, 'finish'> };

/** Rows removed in one transaction: other writers wait while it runs. */
const AT_ONCE = 500;
const PLAN = 'business';

/** What a demo does with its sandbox, without a request and outside the limits of its visitors. */
export const composeSandboxes = ({ database, clock, randomText, resets }: Deps) => {
  const writeIn: WriteInStore<Repositories> = (storeId, body) => database.write({ ...SYSTEM_CALL, storeId }, body);

  /** Removes what a reset keeps. Freed pages are used again, so the reset after it needs no space. */
  const forgetSome = (storeId: bigint): Promise<number> =>
    writeIn(storeId, async ({ webhooks, events, keptAnswers }) => {
      const before = clock() + 1;
      const deliveries = await webhooks.forgetDeliveries(before, AT_ONCE);
      return deliveries + (await events.forget(before, AT_ONCE)) + (await keptAnswers.forget(before, AT_ONCE));
    });

  return {
    /** Opens a sandbox with samples, and issues a key for it with the given secret. */
    open(secret = makeSecret('staging', randomText)): Promise<{ secret: string; storeId: bigint }> {
      const id = `key_${randomText(24)}`;
      return database.write(SYSTEM_CALL, async (repositories) => {
        const storeId = await repositories.stores.openNext();
        await repositories.seedStore(storeId, id);
        const limits = limitsOf(PLAN, undefined);
        const decided = { id, name: 'demo', plan: PLAN, limits, scopes: PLAIN_SCOPES, storeId } as const;
        await issueKey(repositories, { ...decided, admin: false, expiresAt: null }, secret);
        return { secret, storeId };
      });
    },

    /** Resets a sandbox and forgets its events and stored responses. */
    async renew(storeId: bigint): Promise<void> {
      while ((await forgetSome(storeId)) > 0);
      await writeIn(storeId, ({ stores }) => stores.beginReset({ storeId, keyId: null, requestId: null }));
      await resets.finish(storeId);
    },
  };
};
