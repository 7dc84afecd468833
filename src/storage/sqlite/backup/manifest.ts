import { fsyncSync, readSync, statSync, writeSync } from 'node:fs';
import { createSha256, randomBytes } from '../../../kernel/builtins.ts';
import type { RowOf } from '../../../kernel/row.ts';
import { VERSION } from '../../../version.ts';
import { asUnusable, DatabaseUnusable } from '../../unusable.ts';
import { connectSqlite, isDamaged, type SqliteConnection } from '../connection.ts';
import { openFile } from '../files.ts';

const TABLE = 'petstore_backup';

// The size of each read: a multiple of the page size, so that no read splits the digest, which lies within one page.
const PIECE_BYTES = 1024 * 1024;
const DIGEST_BYTES = 32;

/** Hashes a file that contains its own digest, as if the digest consisted of zeros. */
export const createFileHash = (digest: Uint8Array) => {
  const hash = createSha256();
  let [seen, at] = [0, -1];
  return {
    add(piece: Buffer): void {
      const found = at < 0 ? piece.indexOf(digest) : -1;
      if (found < 0) hash.update(piece);
      else {
        at = seen + found;
        hash.update(Buffer.from(piece).fill(0, found, found + DIGEST_BYTES));
      }
      seen += piece.length;
    },
    end: (): { sum: Uint8Array; at: number } => ({ sum: hash.digest(), at }),
  };
};

export function* piecesOf(file: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0, length = -1; length !== 0; at += length) {
    length = readSync(file, buffer, 0, PIECE_BYTES, at);
    if (length > 0) yield buffer.subarray(0, length);
  }
}

export const hashFile = (file: number, digest: Uint8Array) => {
  const hash = createFileHash(digest);
  for (const piece of piecesOf(file)) hash.add(piece);
  return hash.end();
};

const countRows = (copy: SqliteConnection): Record<string, number> => {
  const tables = copy.all(
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> $1 ORDER BY name",
    [TABLE],
  ) as { name: string }[];
  const count = (name: string) => copy.one(`SELECT count(*) AS count FROM "${name}"`, []) as { count: bigint };
  return Object.fromEntries(tables.map(({ name }) => [name, Number(count(name).count)]));
};

const addFacts = (path: string, madeAt: number, mark: Uint8Array, isSourceChecked: boolean) => {
  using copy = connectSqlite(path);
  const { quick_check: found } = copy.one('PRAGMA quick_check(1)', []) as { quick_check: string };
  if (found !== 'ok') throw new Error(`the database is damaged: ${found}`);
  // If the source is a backup that someone put into use without `petstore restore`, it already has this table.
  copy.script(`DROP TABLE IF EXISTS ${TABLE}`);
  const rows = countRows(copy);
  const { user_version: schema } = copy.one('PRAGMA user_version', []) as { user_version: bigint };
  const { environment } = copy.one('SELECT environment FROM deployment', []) as { environment: string };
  copy.script(`CREATE TABLE ${TABLE} (
    version TEXT NOT NULL, schema INTEGER NOT NULL, environment TEXT NOT NULL, made_at INTEGER NOT NULL,
    stores INTEGER NOT NULL, rows TEXT NOT NULL, digest BLOB NOT NULL, source_checked INTEGER NOT NULL
  ) STRICT`);
  const stores = rows.stores ?? 0;
  const values = [VERSION, schema, environment, BigInt(madeAt), BigInt(stores), JSON.stringify(rows), mark];
  copy.run(`INSERT INTO ${TABLE} VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [...values, isSourceChecked ? 1n : 0n]);
  return { version: VERSION, schema: Number(schema), environment, madeAt, stores, rows, isSourceChecked };
};

export type BackupFacts = ReturnType<typeof addFacts>;
type Manifest = BackupFacts & { digest: Uint8Array };

/** Unlike SQLite's own checks, the digest in the manifest also detects a changed letter in a pet's name. */
export const writeManifest = (path: string, madeAt: number, isSourceChecked = false): BackupFacts => {
  const mark = randomBytes(DIGEST_BYTES);
  const facts = addFacts(path, madeAt, mark, isSourceChecked);
  using file = openFile(path, 'r+');
  const { sum, at } = hashFile(file.fd, mark);
  writeSync(file.fd, sum, 0, DIGEST_BYTES, at);
  fsyncSync(file.fd);
  return facts;
};

type ManifestRow = RowOf<Omit<Manifest, 'rows' | 'isSourceChecked'>> & { rows: string; source_checked?: bigint };

/** Does not check the digest. The caller must check it. */
export const readManifest = (path: string): Manifest => {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) throw new DatabaseUnusable(`${path} does not exist; give the path of an existing backup`);
    if (found.isDirectory()) throw new DatabaseUnusable(`${path} is a folder; give the path of a backup in it`);
    using file = connectSqlite(path, undefined, 'read');
    const hasManifest = file.one('SELECT 1 AS found FROM sqlite_schema WHERE name = $1', [TABLE]) !== undefined;
    const row = hasManifest && (file.one(`SELECT * FROM ${TABLE}`, []) as ManifestRow | undefined);
    if (!row) throw new DatabaseUnusable(`${path} is not a complete petstore backup; use another file`);
    const { version, environment, digest } = row;
    const [schema, madeAt, stores] = [Number(row.schema), Number(row.made_at), Number(row.stores)];
    const isSourceChecked = row.source_checked === 1n;
    return { version, schema, environment, madeAt, stores, rows: JSON.parse(row.rows), isSourceChecked, digest };
  } catch (error) {
    throw isDamaged(error) ? damaged(path) : asUnusable(error, `cannot read ${path}`);
  }
};

export const damaged = (path: string): DatabaseUnusable =>
  new DatabaseUnusable(`${path} is damaged, or was changed after it was made; use another backup`);

export const removeManifest = (path: string): void => {
  using copy = connectSqlite(path);
  copy.script(`DROP TABLE ${TABLE}`);
};
