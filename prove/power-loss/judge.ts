import { Database } from 'bun:sqlite';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteConnection } from '../../src/storage/sqlite/connection.ts';
import { openSqliteFile } from '../../src/storage/sqlite/open.ts';
import { OF_BOTH_ENGINES } from '../invariants.ts';
import { keyCell, orderCell, petCell } from './callers.ts';
import type { Ledger } from './ledger.ts';
import type { Files } from './recorded-disk.ts';

const FILE = 'petstore.db';

export const putDown = (folder: string, files: Files): string => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return join(folder, FILE);
};

const findDamage = (path: string): string[] => {
  const file = new Database(path);
  try {
    const { integrity_check: found } = file.query('PRAGMA integrity_check').get() as { integrity_check: string };
    return found === 'ok' ? [] : [`SQLite finds: ${found.slice(0, 200)}`];
  } catch (error) {
    return [`SQLite cannot read it: ${(error as Error).message}`];
  } finally {
    file.close();
  }
};

const readCells = ({ all }: SqliteConnection): Map<string, string> => {
  const pets = all('SELECT id, name, category_id AS categoryId, status FROM pets', []) as Parameters<typeof petCell>;
  const orders = all('SELECT id, pet_id AS petId, status FROM orders', []) as Parameters<typeof orderCell>;
  const keys = all('SELECT idempotency_key AS key FROM idempotency', []) as { key: string }[];
  const cells = [...pets.map(petCell), ...orders.map(orderCell), ...keys.map(({ key }) => keyCell(key))];
  return new Map(cells.flatMap((cell) => Object.entries(cell)) as [string, string][]);
};

const compareIds = ({ all }: SqliteConnection, seen: ReturnType<Ledger['highest']>): string[] => {
  const rows = all('SELECT kind, highest FROM ids', []) as { kind: string; highest: bigint }[];
  const given = new Map(rows.map(({ kind, highest }) => [kind, Number(highest)]));
  return Object.entries(seen)
    .filter(([kind, id]) => (given.get(kind) ?? 0) < id)
    .map(([kind, id]) => `ids of ${kind} continue after ${given.get(kind) ?? 0}, but ${id} was acknowledged`);
};

const openByService = (path: string, ledger: Ledger): Judged => {
  try {
    const falseAlarms: string[] = [];
    const logMissing = (message: string) => falseAlarms.push(message);
    const { reader, close } = openSqliteFile(path, 'production', { logMissing });
    try {
      const cells = readCells(reader);
      const contradicted = OF_BOTH_ENGINES.filter(({ finds }) => reader.all(finds, []).length > 0);
      const wrong = [
        ...falseAlarms,
        ...ledger.compare(cells),
        ...compareIds(reader, ledger.highest()),
        ...contradicted.map(({ what }) => `does not hold: ${what}`),
      ];
      return { cells, wrong };
    } finally {
      close();
    }
  } catch (error) {
    return { cells: new Map(), wrong: [`the service cannot open it: ${(error as Error).message}`] };
  }
};

export type Judged = { cells: Map<string, string>; wrong: string[] };

export const judgeState = (folder: string, files: Files, ledger: Ledger): Judged => {
  const damage = findDamage(putDown(folder, files));
  const { cells, wrong } = openByService(putDown(folder, files), ledger);
  return { cells, wrong: [...damage, ...wrong] };
};
