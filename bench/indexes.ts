import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteBackend } from '../src/compose/backend.sqlite.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { SYSTEM_CALL } from '../src/kernel/operation.ts';
import { createLog } from '../src/ops/log.ts';
import { createPet } from '../src/resources/pets/create-pet.ts';
import { median } from './compare.ts';
import { fill } from './questions.ts';

/**
 * Usage: `bun bench/indexes.ts [pets]`. Prints what each index costs per created pet: the processor time of the whole
 * process with all indexes, minus the time without this one. The databases take turns, 256 creates at a time.
 */
const [PETS = '200000'] = process.argv.slice(2);
const ROUNDS = 60;
const TOGETHER = 64;
const PER_ROUND = 4 * TOGETHER;
const TABLES = ['pets', 'events'];

const directory = mkdtempSync(join(tmpdir(), 'petstore-indexes-'));
const whole = join(directory, 'whole.db');
await fill(whole, Number(PETS));

const indexes = new Database(whole)
  .query<{ name: string }, []>(
    `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
     AND tbl_name IN (${TABLES.map((table) => `'${table}'`).join()}) ORDER BY tbl_name DESC, name`,
  )
  .all()
  .map(({ name }) => name);

let opened = 0;
const open = async (dropped: readonly string[]) => {
  opened += 1;
  const path = join(directory, `${opened}.db`);
  cpSync(whole, path);
  const raw = new Database(path);
  for (const name of dropped) raw.run(`DROP INDEX ${name}`);
  raw.close();
  const { database } = await openSqliteBackend(path, {
    config: readConfig({}),
    randomText: createRandomText(randomBytes),
    log: createLog('silent', async () => undefined, systemClock),
    metrics: createMetrics(),
  });
  const call = { ...SYSTEM_CALL, keyId: 'key_bench' };
  const create = () => {
    const body = { name: `Animal ${Math.floor(Math.random() * 1e6)}`, categoryId: 1n, status: 'available' as const };
    return database.write(call, (repositories) =>
      createPet.run(repositories, { body }, { ...call, petLimit: null } as never, { maxPets: undefined }),
    );
  };
  return { dropped, create, micros: [] as number[] };
};

const variants = [
  await open([]),
  await open([]),
  ...(await Promise.all(indexes.map((name) => open([name])))),
  await open(indexes.filter((name) => name.startsWith('pets_') && name.endsWith('_name'))),
];
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const { create, micros } of variants) {
    const before = process.cpuUsage();
    for (let sent = 0; sent < PER_ROUND; sent += TOGETHER) await Promise.all(Array.from({ length: TOGETHER }, create));
    const { user, system } = process.cpuUsage(before);
    // The first round only warms up the caches and is not counted.
    if (round > 0) micros.push((user + system) / PER_ROUND);
  }
}

const [all, ...others] = variants;
const figure = (micros: number): string => micros.toFixed(1).padStart(6);
console.log(`${figure(median(all?.micros ?? []))} µs per create with all indexes, ${PETS} pets, ${ROUNDS} rounds`);
for (const { dropped, micros } of others) {
  const saved = micros.map((value, round) => (all?.micros[round] as number) - value).toSorted((a, b) => a - b);
  const at = (share: number) => figure(saved[Math.floor(saved.length * share)] as number);
  console.log(`${at(0.5)} µs saved (${at(0.25)} to ${at(0.75)}) without ${dropped.join(', ') || 'any (noise)'}`);
}
rmSync(directory, { recursive: true });
process.exit(0);
