import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindRepositories, type Reads, type Repositories } from '../src/compose/repositories.ts';
import { createRunOperation } from '../src/compose/run-operation.ts';
import { handle as handleRequest } from '../src/http/handle.ts';
import { createReplyCache } from '../src/http/reply-cache.ts';
import { createOperationHandler, type OperationHandler } from '../src/http/routes.ts';
import { createRandomText } from '../src/kernel/ids.ts';
import { type Caller, type Operation, SYSTEM_CALL } from '../src/kernel/operation.ts';
import { createLocalKeyChanges } from '../src/resources/keys/changes.ts';
import { createPet } from '../src/resources/pets/create-pet.ts';
import { getPet } from '../src/resources/pets/get-pet.ts';
import { listPets } from '../src/resources/pets/list-pets.ts';
import type { Database } from '../src/storage/database.ts';
import type { Sql } from '../src/storage/sql.ts';
import { openSqlite } from '../src/storage/sqlite/database.ts';
import { createLocalArrivals } from '../src/streaming/arrivals.ts';
import { sequenceInTransaction } from '../src/streaming/sequencer.sql.ts';
import { createTestClock } from './clock.ts';
import { stubService } from './http-service.ts';
import { importPets } from './import-pets.ts';

/**
 * The figures in this file are the same on every machine. If a test here fails, every request has become more
 * expensive. If that is intended, update the figure here and in `docs/performance.md`.
 */

const counts = { statements: 0, rows: 0 };

const counted = (sql: Sql): Sql => ({
  ...sql,
  one: async (text, values) => {
    const row = await sql.one<any>(text, values);
    counts.statements += 1;
    counts.rows += row ? 1 : 0;
    return row;
  },
  all: async (text, values) => {
    const rows = await sql.all<any>(text, values);
    counts.statements += 1;
    counts.rows += rows.length;
    return rows;
  },
  run: (text, values) => {
    counts.statements += 1;
    return sql.run(text, values);
  },
});

let directory: string;
let database: Database<Reads, Repositories>;
let handle: (
  operation: Operation<Reads, Repositories, object>,
  path: string,
  request?: RequestInit,
) => Promise<unknown>;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  const known = new WeakMap<Sql, Sql>();
  const bind = bindRepositories({
    clock: createTestClock(),
    randomText: createRandomText(randomBytes),
    keyChanges: createLocalKeyChanges(),
    sequencer: sequenceInTransaction(createLocalArrivals()),
  });
  database = openSqlite<Reads, Repositories>({
    path: join(directory, 'petstore.db'),
    environment: 'production',
    bind: (sql, call) => {
      const same = known.get(sql) ?? counted(sql);
      known.set(sql, same);
      return bind(same, call);
    },
  });
  await database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
  const runOperation = createRunOperation(database, {});
  const replies = createReplyCache(database.commits ?? (() => 0));
  const handlers = new Map<unknown, OperationHandler>();
  const caller: Caller = {
    keyId: 'key_one',
    storeId: 1n,
    scopes: ['pets:read', 'pets:write'],
    limits: { perMinute: 10_000, perDay: 10_000 },
    endsAt: null,
  };
  const service = stubService({ authenticate: () => caller });
  handle = async (operation, path, init = {}) => {
    const { contract } = operation;
    const known = handlers.get(operation) ?? createOperationHandler(contract, runOperation(operation), { replies });
    handlers.set(operation, known);
    const request = new Request(`http://localhost${path}`, init);
    const route = { methods: new Map([[contract.method as string, known]]), allow: contract.method };
    const response = await handleRequest(service, route, {
      request,
      params: { petId: path.split('/').at(-1) ?? '' },
      socket: '',
    });
    expect(response.status).toBeLessThan(300);
    return response;
  };
});
afterEach(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const costOf = async (run: () => Promise<unknown>) => {
  const commits = database.commits?.() ?? 0;
  Object.assign(counts, { statements: 0, rows: 0 });
  await run();
  return { ...counts, commits: (database.commits?.() ?? 0) - commits };
};

const create = (headers: Record<string, string> = {}) => {
  const body = '{"name":"Rex","categoryId":1}';
  return handle(createPet, '/v1/pets', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': String(body.length), ...headers },
    body,
  });
};
const together = (count: number, run: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe('the hot path', () => {
  test('reads a pet with one statement and one row', async () => {
    await create();
    expect(await costOf(() => handle(getPet, '/v1/pets/1'))).toEqual({ statements: 1, rows: 1, commits: 0 });
  });

  test('reads a page with one statement and one extra row, and without statements from the third time on', async () => {
    await together(30, () => create());
    const page = () => handle(listPets, '/v1/pets?limit=20');
    expect(await costOf(page)).toEqual({ statements: 1, rows: 21, commits: 0 });
    expect(await costOf(page)).toEqual({ statements: 1, rows: 21, commits: 0 });
    expect(await costOf(page)).toEqual({ statements: 0, rows: 0, commits: 0 });
    await create();
    expect(await costOf(page)).toEqual({ statements: 1, rows: 21, commits: 0 });
  });

  test('creates a pet with three statements and one commit, or four statements with an Idempotency-Key', async () => {
    expect(await costOf(() => create())).toEqual({ statements: 3, rows: 0, commits: 1 });
    expect(await costOf(() => create({ 'Idempotency-Key': 'one' }))).toEqual({ statements: 4, rows: 0, commits: 1 });
  });

  test('commits 64 concurrent creations in one transaction', async () => {
    const cost = await costOf(() => together(64, () => create()));
    expect(cost).toEqual({ statements: 64 * 3, rows: 0, commits: 1 });
  });

  test('writes less than 3,000 bytes of WAL for each of 64 creations in one transaction', async () => {
    const log = () => statSync(join(directory, 'petstore.db-wal')).size;
    // Creates some pets before the measurement, so that the WAL already contains the pages that every transaction
    // changes.
    for (let group = 0; group < 10; group += 1) await together(64, () => create());
    const before = log();
    for (let group = 0; group < 10; group += 1) await together(64, () => create());
    expect((log() - before) / 640).toBeLessThan(3000);
  });

  test('imports with two statements per pet and a few per transaction', async () => {
    const pets = Array.from({ length: 200 }, () => ({ name: 'Rex', categoryId: 1n, status: 'available' as const }));
    const cost = await costOf(() =>
      importPets({ write: (body) => database.write(SYSTEM_CALL, body), elapsed: () => 0 }, pets),
    );
    expect(cost.statements).toBeLessThanOrEqual(200 * 2 + cost.commits * 10);
    expect(cost.commits).toBeLessThanOrEqual(4);
  });
});
