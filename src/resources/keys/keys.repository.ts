import type { PageRequest } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { Key } from './key.ts';

export type KeyReads = {
  /** The key one of whose secrets has this hash and is still good at `now`, and when that secret ends if it does. */
  findBySecret(hash: Uint8Array, now: number): Promise<{ key: Key; secretEndsAt: number | null } | undefined>;
  find(id: string): Promise<Key | undefined>;
  /** The keys of all stores, by the time of their issue and then by id, strictly behind a position. */
  list(page: PageRequest<TimePosition>): Promise<Key[]>;
  findAdmin(): Promise<Key | undefined>;
};

/** The keys of the deployment, whatever store they work in. */
export type KeyRepository = KeyReads & {
  /** The key as it is, kept from changing until the transaction ends. */
  lock(id: string): Promise<Key | undefined>;
  lockAdmin(): Promise<Key | undefined>;
  insert(key: Key, hash: Uint8Array): Promise<void>;
  /** Keeps what may change of a key: name, plan, limits, scopes, expiry, revocation. */
  update(key: Key): Promise<void>;
  /** Gives the key a new secret. The one before is good until `graceEndsAt`; any older one ends now. */
  replaceSecret(key: Pick<Key, 'id' | 'prefix' | 'last4'>, hash: Uint8Array, graceEndsAt: number): Promise<void>;
};

/** The key, or the refusal that there is none. */
export const findKey = async (keys: KeyReads, id: string): Promise<Key> => orNotFound(await keys.find(id), 'key', id);

/** The same, to change it: nobody else does until the transaction ends. */
export const lockKey = async (keys: KeyRepository, id: string): Promise<Key> =>
  orNotFound(await keys.lock(id), 'key', id);
