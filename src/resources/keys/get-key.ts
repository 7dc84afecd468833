import { reads } from '../../kernel/operation.ts';
import type { BanDeps } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { getKeyContract, getMyKeyContract } from './keys.contracts.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

type Repositories = { keys: KeyReads };

const showKey = async ({ keys }: Repositories, { limiter }: BanDeps, id: string) => ({
  body: toKeyBody(await findKey(keys, id), limiter.bannedUntil(id)),
});

export const getKey = reads(getKeyContract, (repositories: Repositories, { path }, _, deps: BanDeps) =>
  showKey(repositories, deps, path.keyId),
);

export const getMyKey = reads(getMyKeyContract, (repositories: Repositories, _, { keyId }, deps: BanDeps) =>
  showKey(repositories, deps, keyId ?? ''),
);
