import { orNotFound } from '../../kernel/failure.ts';
import { reads } from '../../kernel/operation.ts';
import { answerPage, formatTimePosition } from '../../kernel/page.ts';
import { type BanDeps, createKey } from './create-key.ts';
import { toKeyBody } from './key.body.ts';
import { getKeyContract, getKeyNameContract, getMyKeyContract, listKeysContract } from './keys.contracts.ts';
import { findKey, type KeyReads } from './keys.repository.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { unbanKey } from './unban-key.ts';
import { updateKey } from './update-key.ts';

type Reads = { keys: KeyReads };

const listKeys = reads(listKeysContract, async ({ keys }: Reads, { page }, _, { limiter }: BanDeps) =>
  answerPage(await keys.list({ ...page, limit: page.limit + 1 }), page, {
    body: (key) => toKeyBody(key, limiter.bannedUntil(key.id)),
    position: formatTimePosition,
  }),
);

const showKey = async ({ keys }: Reads, { limiter }: BanDeps, id: string) => ({
  body: toKeyBody(await findKey(keys, id), limiter.bannedUntil(id)),
});

const getMyKey = reads(getMyKeyContract, (repositories: Reads, _, { keyId }, deps: BanDeps) =>
  showKey(repositories, deps, keyId ?? ''),
);

const getKey = reads(getKeyContract, (repositories: Reads, { path }, _, deps: BanDeps) =>
  showKey(repositories, deps, path.keyId),
);

const getKeyName = reads(getKeyNameContract, async ({ keys }: Reads, { path: { keyId } }, { storeId }) => {
  const key = await keys.find(keyId);
  const { id, name } = orNotFound(key?.storeId === storeId ? key : undefined, 'key', keyId);
  return { body: { id, name } };
});

export const keyOperations = [
  listKeys,
  createKey,
  getMyKey,
  getKey,
  getKeyName,
  updateKey,
  revokeKey,
  rotateKey,
  unbanKey,
];
