import { reads } from '../../kernel/operation.ts';
import type { Bans } from '../../limits/limiter.ts';
import { toKeyBody } from './key.body.ts';
import { getKeyContract } from './keys.contracts.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

type Deps = { limiter: Pick<Bans, 'bannedUntil'> };

export const getKey = reads(
  getKeyContract,
  async (repositories: { keys: KeyReads }, { path }, _, { limiter }: Deps) => {
    const key = await findKey(repositories.keys, path.keyId);
    return { body: toKeyBody(key, limiter.bannedUntil(key.id)) };
  },
);
