import { createKey } from './create-key.ts';
import { getKey, getMyKey } from './get-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { unbanKey } from './unban-key.ts';
import { updateKey } from './update-key.ts';

export const keyOperations = [listKeys, createKey, getMyKey, getKey, updateKey, revokeKey, rotateKey, unbanKey];
