import { createSha256 } from '../../kernel/builtins.ts';
import { nextTurn } from '../../kernel/runtime.ts';
import type { KeyIndex, Sql } from '../sql.ts';

const SHARDS = 256;
const SMALLEST = 16;
/** How many keys are loaded in one turn of the event loop. Loading them takes about a millisecond. */
const LOADED_AT_ONCE = 2000;

type Shard = { hashes: Uint32Array; rows: Float64Array; used: number };
type LoadedIndex = { add(hash: number, row: number): void };
type Loaded = { kept_at: bigint; key_hash: bigint; row: bigint; name: string | null };

const createShard = (capacity: number): Shard => ({
  hashes: new Uint32Array(capacity),
  rows: new Float64Array(capacity),
  used: 0,
});

/** Returns 40 bits: 8 bits select the shard, and 32 bits are stored in it. */
const hashOf = (name: string): number => createSha256().update(name).digest().readUIntBE(0, 5);

/**
 * Finds the row that stores an idempotency key. The index is in memory, because clients choose random keys: if the index were on
 * disk, each new key would change a different page.
 */
export const createKeyIndex = (lastRow = 0): KeyIndex & LoadedIndex => {
  const shards = Array.from({ length: SHARDS }, () => createShard(SMALLEST));
  let last = lastRow;
  let first = 0;

  const put = (shard: Shard, hash: number, row: number): void => {
    const { hashes, rows } = shard;
    const mask = rows.length - 1;
    let at = hash & mask;
    while ((rows[at] as number) >= first && rows[at] !== 0) at = (at + 1) & mask;
    if (rows[at] === 0) shard.used += 1;
    hashes[at] = hash;
    rows[at] = row;
  };

  /** Each shard grows separately, so that no request has to wait while millions of keys are moved. */
  const grow = (shard: Shard): Shard => {
    const kept = shard.rows.filter((row) => row !== 0 && row >= first).length;
    const grown = createShard(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(kept * 2 + 1))));
    for (const [at, row] of shard.rows.entries())
      if (row !== 0 && row >= first) put(grown, shard.hashes[at] as number, row);
    return grown;
  };

  const add = (hash: number, row: number): void => {
    const at = Math.floor(hash / 2 ** 32);
    let shard = shards[at] as Shard;
    if (shard.used * 4 >= shard.rows.length * 3) {
      shard = grow(shard);
      shards[at] = shard;
    }
    put(shard, hash >>> 0, row);
  };

  return {
    add,

    addNew(name: string) {
      const hash = hashOf(name);
      last += 1;
      add(hash, last);
      return { hash, row: last };
    },

    find(name: string) {
      const hash = hashOf(name);
      const { hashes, rows } = shards[Math.floor(hash / 2 ** 32)] as Shard;
      const mask = rows.length - 1;
      const found: number[] = [];
      for (let at = (hash >>> 0) & mask; rows[at] !== 0; at = (at + 1) & mask)
        if (hashes[at] === hash >>> 0 && (rows[at] as number) >= first) found.push(rows[at] as number);
      return found;
    },

    nextRow: () => last + 1,

    dropBefore(row: number) {
      first = row;
    },
  };
};

/** Loads all stored keys. Rows that were moved from PostgreSQL have no hash (-1), so their hashes are computed here. */
export const loadKeys = async (index: LoadedIndex, sql: Pick<Sql, 'all'>): Promise<void> => {
  let after: readonly bigint[] = [-1n, -1n, -1n];
  for (let isMore = true; isMore; ) {
    const rows = await sql.all<Loaded>(
      `SELECT kept_at, key_hash, rowid AS row,
         CASE WHEN key_hash < 0 THEN store_id || ' ' || key_id || ' ' || idempotency_key END AS name
       FROM idempotency WHERE (kept_at, key_hash, rowid) > ($1, $2, $3)
       ORDER BY kept_at, key_hash, rowid LIMIT $4`,
      [...after, LOADED_AT_ONCE],
    );
    for (const { key_hash, row, name } of rows) index.add(name === null ? Number(key_hash) : hashOf(name), Number(row));
    const end = rows.at(-1);
    if (end) after = [end.kept_at, end.key_hash, end.row];
    isMore = rows.length === LOADED_AT_ONCE;
    if (isMore) await nextTurn();
  }
};
