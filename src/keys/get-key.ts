import { reads } from '../kernel/operation.ts';
import { getKeyContract } from './get-key.contract.ts';
import { toKeyBody } from './key.body.ts';
import { findKey, type KeyReads } from './keys.store.ts';

export const getKey = reads(getKeyContract, async (stores: { keys: KeyReads }, { path }) => ({
  body: toKeyBody(await findKey(stores.keys, path.keyId)),
}));
