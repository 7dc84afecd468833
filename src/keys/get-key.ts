import { reads } from '../kernel/operation.ts';
import { getKeyContract } from './get-key.contract.ts';
import { toKeyBody } from './key.body.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

export const getKey = reads(getKeyContract, async (repositories: { keys: KeyReads }, { path }) => ({
  body: toKeyBody(await findKey(repositories.keys, path.keyId)),
}));
