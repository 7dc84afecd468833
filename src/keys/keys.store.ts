import type { Key } from './key.ts';

export type KeyReads = {
  /** The key one of whose secrets has this hash and is still good at `now`. */
  findBySecret(hash: Uint8Array, now: number): Promise<Key | undefined>;
  find(id: string): Promise<Key | undefined>;
  findAdmin(): Promise<Key | undefined>;
};

/** The keys of the deployment, whatever store they work in. */
export type KeyStore = KeyReads & {
  insert(key: Key, hash: Uint8Array): Promise<void>;
  /** Makes this the key's only secret. */
  replaceSecret(key: Pick<Key, 'id' | 'prefix' | 'last4'>, hash: Uint8Array): Promise<void>;
};
