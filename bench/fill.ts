import { randomBytes } from 'node:crypto';
import { bindStores, type Stores } from '../src/bind-stores.ts';
import { openSqlite } from '../src/database/sqlite.ts';
import { createLocalArrivals } from '../src/events/arrivals.ts';
import { numberAtOnce } from '../src/events/numbering.sql.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLocalKeyChanges } from '../src/kernel/key-changes.ts';
import { FIRST_STORE, OWN_CALL } from '../src/kernel/operation.ts';
import { createRandomText } from '../src/kernel/random-id.ts';
import { importPets } from '../src/pets/import-pets.ts';
import { PET_STATUSES } from '../src/pets/pet.ts';

/** As many animals as are asked for, in all statuses and a hundred categories. */
function* animals(count: number) {
  for (let index = 0; index < count; index += 1) {
    const status = PET_STATUSES[index % 3] ?? 'available';
    yield { name: `Animal ${index}`, categoryId: BigInt(1 + (index % 100)), status };
  }
}

const [path = '', count = ''] = process.argv.slice(2);
const database = openSqlite<Stores, Stores>({
  path,
  environment: 'production',
  bind: bindStores({
    clock: systemClock,
    randomText: createRandomText(randomBytes),
    keyChanges: createLocalKeyChanges(),
    numbering: numberAtOnce(createLocalArrivals()),
  }),
});
await database.write(OWN_CALL, ({ stores }) => stores.open(FIRST_STORE));
const startedAt = performance.now();
const { added, longestMs } = await importPets(
  { write: (body) => database.write(OWN_CALL, body), elapsed: () => performance.now() },
  animals(Number(count)),
);
const seconds = (performance.now() - startedAt) / 1000;
await database.close();
console.log(JSON.stringify({ added, seconds, longestMs }));
