import { reads } from '../../kernel/operation.ts';
import type { Bans } from '../../limits/limiter.ts';
import { toKeyBody } from './key.body.ts';
import { getKeyContract, getMyKeyContract } from './keys.contracts.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

type Repositories = { keys: KeyReads };
type Deps = { limiter: Pick<Bans, 'bannedUntil'> };

const showKey = async ({ keys }: Repositories, { limiter }: Deps, id: string) => ({
  body: toKeyBody(await findKey(keys, id), limiter.bannedUntil(id)),
});

export const getKey = reads(getKeyContract, (repositories: Repositories, { path }, _, deps: Deps) =>
  showKey(repositories, deps, path.keyId),
);

export const getMyKey = reads(getMyKeyContract, (repositories: Repositories, _, { keyId }, deps: Deps) =>
  showKey(repositories, deps, keyId ?? ''),
);
