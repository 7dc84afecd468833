import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { Key } from './key.ts';

export type KeyReads = {
  findBySecret(hash: Uint8Array, now: number): Promise<{ key: Key; secretEndsAt: number | null } | undefined>;
  find(id: string): Promise<Key | undefined>;
  list(page: PageRequest<TimePosition>): Promise<Key[]>;
  findAdmin(): Promise<Key | undefined>;
};

export type KeyRepository = KeyReads & {
  lock(id: string): Promise<Key | undefined>;
  lockAdmin(): Promise<Key | undefined>;
  insert(key: Key, hash: Uint8Array): Promise<void>;
  update(key: Key): Promise<void>;
  /** The previous secret stays valid until `graceEndsAt`. All older secrets become invalid immediately. */
  replaceSecret(key: Pick<Key, 'id' | 'prefix' | 'last4'>, hash: Uint8Array, graceEndsAt: number): Promise<void>;
};

export const findKey = async (keys: KeyReads, id: string): Promise<Key> => orNotFound(await keys.find(id), 'key', id);

export const lockKey = async (keys: KeyRepository, id: string): Promise<Key> =>
  orNotFound(await keys.lock(id), 'key', id);
