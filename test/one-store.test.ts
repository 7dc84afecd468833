import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import pg from 'pg';
import { CONTRACTS } from '../src/contracts.ts';
import type { Contract } from '../src/kernel/contract.ts';
import { PLAIN_SCOPES } from '../src/resources/keys/key.ts';
import { REFERENCE_TABLES, SHARD_COLUMNS } from './citus-layout.ts';
import { askOperation, queryNames } from './operation-request.ts';
import { createPostgresDatabase, POSTGRES_SERVER } from './postgres-database.ts';
import { query } from './servers/databases.ts';
import { ADMIN_KEY, type Service, STAGING, startService } from './service.ts';
import { useEngine } from './service-database.ts';
import { openShards, type Statement, splitTables, type Touched } from './shards.ts';

/**
 * Tables that are not split into shards and stay on the coordinator, each with the reason why a request may use that
 * table.
 */
const ON_COORDINATOR: Readonly<Record<string, string>> = {
  key_secrets: 'a request finds its store by the secret, and each instance caches the key',
  deployment: 'has one row, which requests change only when they change a key',
  windows: 'saved once a second, and only without Redis',
  bans: 'written when a key is banned',
  usage: 'saved once a second per instance, not per request',
  deprecated_calls: 'saved together with usage',
};

/** These statements deal with all stores, so they may use several shards. */
const OF_ALL_STORES: Readonly<Record<string, RegExp>> = {
  'the audit trail of the operator': /FROM events WHERE sequence IS NOT NULL AND \(type LIKE 'key\.%' OR/,
  'sequences for that audit trail': /^SELECT DISTINCT store_id FROM events WHERE sequence IS NULL\s*$/,
  'a job of the leader after a key changed': /FROM keys.* AND id = \$4\).*FROM ended CROSS JOIN webhooks/s,
};

/** The leader's polling statements, which may or may not run during the test. */
const POLL =
  /^SELECT (\(extract\(epoch FROM clock_timestamp\(\)\) \* 1000\)::bigint AS now, key_changes|\(SELECT 1 FROM \(SELECT store_id FROM events WHERE sequence IS NULL)/;

const FILTERS: Readonly<Record<string, string>> = {
  ...{ categoryId: '1', ids: '1,2', sort: 'name', name: 'Rex', petId: '1', type: 'pet.created', order: 'desc' },
  ...{ limit: '1', count: 'pets' },
};
const STATUSES: Readonly<Record<string, string>> = { listPets: 'available', listOrders: 'placed' };

const queriesOf = (contract: Contract): string[] => {
  const queries = [''];
  for (const name of queryNames(contract)) {
    const value = name === 'status' ? STATUSES[contract.id] : FILTERS[name];
    if (value) queries.push(...queries.map((text) => `${text}&${name}=${value}`));
    if (name === 'search') queries.push(...queries.slice(0, 16).map((text) => `${text}&search=missing`));
  }
  return queries;
};

const askEverything = async (service: Service): Promise<void> => {
  const plain = await service.issueKey({ scopes: PLAIN_SCOPES, limits: { perMinute: 1e6, perDay: 1e6, pets: 1000 } });
  for (const contract of CONTRACTS) {
    const answer = await askOperation(service, contract);
    expect([contract.id, answer.status]).toEqual([contract.id, contract.answer.status]);
  }
  // A search uses the name index only in a store with more than 500 pets.
  const rexes = Array.from({ length: 600 }, () => ({ name: 'Rex', categoryId: 1 }));
  await service.post('/v1/pets/batch', { pets: rexes });
  for (const contract of CONTRACTS.filter(({ paged }) => paged)) {
    for (const filters of queriesOf(contract)) {
      for (const key of [plain, ADMIN_KEY]) {
        const { headers } = await askOperation(service, contract, { key, query: filters.slice(1) });
        const [, next] = /<[^?]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
        if (next) await askOperation(service, contract, { key, query: next });
      }
    }
  }
  const pets = Array.from({ length: 60 }, (_, index) => ({ name: 'Rex', categoryId: index % 20 }));
  for (const [path, body] of [
    ['/v1/pets', { name: 'Rex', categoryId: 1 }],
    ['/v1/pets/batch', { pets }],
    ['/v1/store/orders', { petId: 1 }],
  ] as const) {
    const sent = { key: plain, headers: { 'Idempotency-Key': path } };
    for (let times = 0; times < 2; times += 1) await service.post(path, body, sent);
  }
};

const record = () => {
  const { query: send } = pg.Client.prototype;
  const statements: Statement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [{ text, values }] = given as [Statement];
    if (values) statements.push({ text, values });
    return (send as (...words: unknown[]) => unknown).apply(this, given);
  } as typeof send;
  const stop = () => {
    pg.Client.prototype.query = send;
  };
  return { statements, stop };
};

const faultOf = ({ shardsOf, stores, others, written }: Touched): string | undefined => {
  if (shardsOf.length === 0) return undefined;
  if (stores.length !== 1) return `reads or writes ${stores.length} stores`;
  const [foreign] = [...others.filter((table) => !REFERENCE_TABLES.includes(table)), ...written];
  return foreign && `also uses ${foreign}`;
};

describe.skipIf(!POSTGRES_SERVER)('with tables distributed by store', () => {
  let url: string;
  let drop: () => Promise<void>;
  let shards: Awaited<ReturnType<typeof openShards>>;
  beforeAll(async () => {
    useEngine('postgres');
    ({ url, drop } = await createPostgresDatabase('staging'));
    await splitTables(url);
    shards = await openShards(url);
  });
  afterAll(async () => {
    useEngine('sqlite');
    await shards.close();
    await drop();
  });

  test('the guide distributes every table whose rows belong to a store, and the others have a reason', async () => {
    const rows: { name: string; is_of_store: boolean }[] = await query(
      url,
      `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'store_id')
         OR c.relname = 'stores' AS is_of_store
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const namesOf = (isOfStore: boolean) =>
      rows.filter(({ is_of_store }) => is_of_store === isOfStore).map(({ name }) => name);
    expect(namesOf(true).sort()).toEqual([...SHARD_COLUMNS.keys(), ...REFERENCE_TABLES].sort());
    expect(namesOf(false).sort()).toEqual(Object.keys(ON_COORDINATOR).sort());
  });

  test('every statement of a request names one store and uses only tables distributed by it', async () => {
    const { statements, stop } = record();
    try {
      const service = await startService({ environment: STAGING, arrange: splitTables });
      await askEverything(service).finally(service.stop);
    } finally {
      stop();
    }
    const [faults, allowed, used] = [new Map<string, string>(), new Set<string>(), new Set<string>()];
    for (const statement of statements.filter(({ text }) => !POLL.test(text))) {
      const touched = await shards.run(statement);
      for (const table of [...touched.shardsOf, ...touched.others]) used.add(table);
      const fault = faultOf(touched);
      const [why] = Object.entries(OF_ALL_STORES).find(([, pattern]) => pattern.test(statement.text)) ?? [];
      if (fault && why) allowed.add(why);
      else if (fault) faults.set(statement.text, fault);
    }
    expect([...faults]).toEqual([]);
    expect([...allowed].sort()).toEqual(Object.keys(OF_ALL_STORES).sort());
    expect([...used].sort()).toEqual(
      [...SHARD_COLUMNS.keys(), ...REFERENCE_TABLES, ...Object.keys(ON_COORDINATOR)].sort(),
    );
  });

  const ADD = 'INSERT INTO categories (store_id, id) VALUES';
  test.each([
    ['names no store', 'SELECT count(*) FROM pets', 'reads or writes 5 stores'],
    ['reads two stores', 'SELECT 1 FROM pets WHERE store_id IN (1, 2)', 'reads or writes 2 stores'],
    ['writes to two stores', `${ADD} (1, 90), (2, 90)`, 'reads or writes 2 stores'],
    [
      'joins another store',
      'SELECT 1 FROM pets p JOIN orders o ON o.pet_id = p.id WHERE p.store_id = 1',
      'reads or writes 5 stores',
    ],
    ['reads a table on the coordinator', 'SELECT 1 FROM pets, usage WHERE store_id = 1', 'also uses usage'],
    ['changes a key too', `WITH more AS (${ADD} (1, 91)) UPDATE keys SET changed = 1`, 'also uses keys'],
  ])('recognizes a statement that %s', async (_, text, fault) => {
    expect(faultOf(await shards.run({ text, values: [] }))).toBe(fault);
  });

  test.each([
    'SELECT 1 FROM pets p JOIN orders o ON o.store_id = p.store_id AND o.pet_id = p.id WHERE p.store_id = 1',
    'SELECT 1 FROM webhooks w JOIN keys k ON k.id = w.key_id WHERE w.store_id = 1',
    `${ADD} (1, 92), (1, 93)`,
    'SELECT 1 FROM usage',
  ])('accepts %s', async (text) => {
    expect(faultOf(await shards.run({ text, values: [] }))).toBeUndefined();
  });
});
