import type { Call } from '../kernel/operation.ts';

/**
 * The one way to stored data, whatever engine keeps it. `Stores` is built by the composition: the database knows no
 * resource by name.
 */
export type Database<Stores> = {
  /** Stores that show what is committed. Writing through them fails. */
  read(storeId: bigint): Stores;
  /**
   * Runs `body` in a transaction and resolves once its effects are on disk; if `body` throws, there are none. Bodies
   * may run in one group, one after another: a body awaits nothing but its stores.
   */
  write<Result>(call: Call, body: (stores: Stores) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** Something done by the service itself, on nobody's behalf. */
export const ownCall: Call = { storeId: 1n, keyId: null, requestId: null, address: null };
