import type { EventLog } from '../kernel/event.ts';
import type { LimitStore } from '../limits/limits.store.ts';
import type { Ban } from '../limits/window.ts';
import { toKeyBody } from './key.body.ts';
import type { KeyReads } from './keys.store.ts';

type Stores = { keys: KeyReads; limits: LimitStore; events: EventLog };

/** Makes a ban durable, in one transaction with the event that tells of it. */
export const banKey = async (stores: Stores, keyId: string, ban: Ban): Promise<void> => {
  const isNew = await stores.limits.addBan(keyId, ban);
  const key = isNew ? await stores.keys.find(keyId) : undefined;
  if (!key) return;
  const object = { ...toKeyBody(key), bannedUntil: new Date(ban.until).toISOString() };
  await stores.events.append({ type: 'key.banned', object, storeId: key.storeId });
};
