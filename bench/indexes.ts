import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteBackend } from '../src/compose/backend.sqlite.ts';
import { readConfig } from '../src/config.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import { systemClock } from '../src/kernel/runtime.ts';
import { createLog } from '../src/ops/log.ts';
import { createPet } from '../src/resources/pets/create-pet.ts';
import { median } from './compare.ts';
import { fill } from './questions.ts';

const ROUNDS = 200;
const TOGETHER = 64;

const listIndexes = (path: string): string[] =>
  new Database(path)
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('pets', 'events')
       ORDER BY tbl_name DESC, name`,
    )
    .all()
    .map(({ name }) => name);

const openWithout = async (whole: string, dropped: readonly string[], path: string) => {
  cpSync(whole, path);
  const raw = new Database(path);
  for (const name of dropped) raw.run(`DROP INDEX ${name}`);
  raw.close();
  const { database, close } = await openSqliteBackend(path, {
    config: readConfig({}),
    randomText: createRandomText(randomBytes),
    log: createLog('silent', async () => undefined, systemClock),
    metrics: createMetrics(),
  });
  const call = { ...SYSTEM_CALL, keyId: 'key_bench' };
  const create = () => {
    const body = { name: `Animal ${Math.floor(Math.random() * 1e6)}`, categoryId: 1n, status: 'available' as const };
    return database.write(call, (repositories) => createPet.run(repositories, { body }, call, { maxPets: undefined }));
  };
  return { dropped, create, close, micros: [] as number[] };
};

/**
 * Measures how much processor time each index adds when a pet is created. Compares a database that has all indexes with
 * databases that each lack one index, and with a database that lacks all indexes on names. A second database with all
 * indexes shows how noisy the measurement is. The databases take turns, and each turn creates 64 pets with random
 * names.
 */
export const measureIndexes = async (directory: string, pets: number): Promise<string> => {
  const whole = join(directory, 'whole.db');
  await fill(whole, pets);
  const indexes = listIndexes(whole);
  const byName = indexes.filter((name) => /^pets_.*_name$/.test(name));
  const dropped = [[], [], ...indexes.map((name) => [name]), byName];
  const variants = await Promise.all(
    dropped.map((names, at) => openWithout(whole, names, join(directory, `${at}.db`))),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { create, micros } of variants) {
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: TOGETHER }, create));
      const { user, system } = process.cpuUsage(before);
      // The first round only warms up the caches and is not counted.
      if (round > 0) micros.push((user + system) / TOGETHER);
    }
  }
  for (const { close } of variants) await close();

  const [all = [], ...others] = variants.map(({ micros }) => micros);
  const figure = (micros: number): string => micros.toFixed(1).padStart(5);
  const lines = others.map((micros, at) => {
    const saved = micros.map((value, round) => (all[round] as number) - value).toSorted((a, b) => a - b);
    const share = (of: number): string => figure(saved[Math.floor(saved.length * of)] as number);
    const names = dropped[at + 1]?.join(', ') || 'none, which shows the noise';
    return `${share(0.5)} µs (middle half: ${share(0.25)} to ${share(0.75)})  ${names}`;
  });
  const title = `${figure(median(all))} µs per create in a store of ${pets.toLocaleString('en')} pets; of these, by index:`;
  return [title, ...lines].join('\n');
};
