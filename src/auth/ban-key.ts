import type { EventLog } from '../kernel/event.ts';
import type { LimitRepository } from '../limits/limits.repository.ts';
import type { Ban } from '../limits/window.ts';
import { toKeyBody } from '../resources/keys/key.body.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';

type Repositories = { keys: KeyReads; limits: LimitRepository; events: EventLog };

/**
 * Makes a ban durable, in one transaction with the event that tells of it. `toldUntil` is its end by the clock of events,
 * which may have been set back.
 */
export const banKey = async (repositories: Repositories, keyId: string, ban: Ban, toldUntil: number): Promise<void> => {
  const isNew = await repositories.limits.addBan(keyId, ban);
  const key = isNew ? await repositories.keys.find(keyId) : undefined;
  if (!key) return;
  const object = toKeyBody(key, toldUntil);
  await repositories.events.append({ type: 'key.banned', object, storeId: key.storeId });
};
