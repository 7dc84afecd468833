import { reads } from '../../kernel/operation.ts';
import type { Bans } from '../../limits/limiter.ts';
import { toKeyBody } from './key.body.ts';
import { getMyKeyContract } from './keys.contracts.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

type Deps = { limiter: Pick<Bans, 'bannedUntil'> };

export const getMyKey = reads(
  getMyKeyContract,
  async (repositories: { keys: KeyReads }, _, { keyId }, { limiter }: Deps) => {
    const key = await findKey(repositories.keys, keyId ?? '');
    return { body: toKeyBody(key, limiter.bannedUntil(key.id)) };
  },
);
