import { randomBytes } from 'node:crypto';
import { openPostgresBackend } from '../src/compose/backend.postgres.ts';
import { openSqliteBackend } from '../src/compose/backend.sqlite.ts';
import { readConfig } from '../src/config.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { createMetrics } from '../src/kernel/metrics.ts';
import { FIRST_STORE, SYSTEM_CALL } from '../src/kernel/operation.ts';
import { systemClock } from '../src/kernel/runtime.ts';
import { createLog } from '../src/ops/log.ts';
import { PET_STATUSES } from '../src/resources/pets/pet.ts';
import { importPets } from '../test/import-pets.ts';

function* pets(count: number) {
  for (let index = 0; index < count; index += 1) {
    const status = PET_STATUSES[index % 3] ?? 'available';
    yield { name: `Animal ${index}`, categoryId: BigInt(1 + (index % 100)), status };
  }
}

const [place = '', count = ''] = process.argv.slice(2);
const deps = {
  config: readConfig({}),
  randomText: createRandomText(randomBytes),
  log: createLog('silent', async () => undefined, systemClock),
  metrics: createMetrics(),
};
const { database, close } = await (place.startsWith('postgres:')
  ? openPostgresBackend(place, deps)
  : openSqliteBackend(place, deps));
await database.write(SYSTEM_CALL, ({ stores }) => stores.open(FIRST_STORE));
const startedAt = performance.now();
const { added, longestMs } = await importPets(
  { write: (body) => database.write(SYSTEM_CALL, body), elapsed: () => performance.now() },
  pets(Number(count)),
);
const seconds = (performance.now() - startedAt) / 1000;
await close();
console.log(JSON.stringify({ added, seconds, longestMs }));
