import { reads } from '../kernel/operation.ts';
import { getMyKeyContract } from './get-my-key.contract.ts';
import { toKeyBody } from './key.body.ts';
import { findKey, type KeyReads } from './keys.repository.ts';

export const getMyKey = reads(getMyKeyContract, async (repositories: { keys: KeyReads }, _, { keyId }) => ({
  body: toKeyBody(await findKey(repositories.keys, keyId ?? '')),
}));
