import type { EventLog } from '../kernel/operation.ts';
import type { LimitRepository } from '../limits/limits.repository.ts';
import type { Ban } from '../limits/window.ts';
import { toKeyBody } from '../resources/keys/key.body.ts';
import type { KeyReads } from '../resources/keys/keys.repository.ts';

type Repositories = { keys: KeyReads; limits: LimitRepository; events: EventLog };

/** `shownUntil` is when the ban ends on the system clock, which can differ from the rate limiter's clock. */
export const banKey = async (repositories: Repositories, keyId: string, ban: Ban, shownUntil: number) => {
  const isNew = await repositories.limits.addBan(keyId, ban);
  const key = isNew ? await repositories.keys.find(keyId) : undefined;
  if (!key) return;
  await repositories.events.append({ type: 'key.banned', object: toKeyBody(key, shownUntil), storeId: key.storeId });
};
