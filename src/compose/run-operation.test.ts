import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type Operation, reads, SYSTEM_CALL, writes } from '../kernel/operation.ts';
import { createCategory } from '../resources/categories/operations.ts';
import { approveOrder } from '../resources/orders/move-order.ts';
import { placeOrder } from '../resources/orders/place-order.ts';
import { createPet, createPetBatch } from '../resources/pets/create-pet.ts';
import { toPetBody } from '../resources/pets/pet.ts';
import { createPetContract, listPetsContract } from '../resources/pets/pets.contracts.ts';
import { updatePet } from '../resources/pets/update-pet.ts';
import { redeliverEvent } from '../resources/webhooks/operations.ts';
import type { Database } from '../storage/database.ts';
import type { Reads, Repositories } from './repositories.ts';
import { createRunOperation } from './run-operation.ts';

let opened: TestDatabase;
beforeEach(() => {
  opened = openTestDatabase();
});
afterEach(() => opened.close());

describe('a request that ends early', () => {
  const PET = { name: 'Rex', categoryId: 1n, status: 'available' as const };
  const pets = () => opened.database.read(1n).pets.list({}, { limit: 10, order: 'asc' });

  const addPet = (meanwhile: () => void) =>
    writes(createPetContract, async (repositories: Repositories) => {
      const pet = await repositories.pets.insert(PET);
      meanwhile();
      return { body: toPetBody(pet), version: pet.version, location: '' };
    });
  const runOperation = (meanwhile: () => void, signal: AbortSignal) =>
    createRunOperation(opened.database, {})(addPet(meanwhile))({ path: {} }, SYSTEM_CALL, { signal, once: undefined });

  test('does not run if it ended before its turn', async () => {
    let isRun = false;
    const run = () => {
      isRun = true;
    };
    await expect(runOperation(run, AbortSignal.abort())).rejects.toEqual(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'The connection closed before the request was complete.',
      }),
    );
    expect(isRun).toBe(false);
    expect(await pets()).toEqual([]);
  });

  test('stores nothing if it ended while it ran, because it gets no answer', async () => {
    const ending = new AbortController();
    await expect(runOperation(() => ending.abort(), ending.signal)).rejects.toThrow(
      'The connection closed before the request was complete.',
    );
    expect(await pets()).toEqual([]);
  });
});

test('a request with an idempotency key waits until the stored keys are loaded', async () => {
  const { promise: keysLoaded, resolve } = Promise.withResolvers<void>();
  const written: string[] = [];
  const write: Database<Reads, Repositories>['write'] = async () => {
    written.push('a pet');
    return {} as never;
  };
  const run = createRunOperation(
    { ...opened.database, keysLoaded, write },
    {},
  )(createPet as Operation<Reads, Repositories, object>);
  const once = { key: 'word', fingerprint: new Uint8Array() };
  const answered = run({}, SYSTEM_CALL, { signal: undefined, once });
  await run({}, SYSTEM_CALL, { signal: undefined, once: undefined });
  expect(written).toEqual(['a pet']);
  resolve();
  await answered;
  expect(written).toEqual(['a pet', 'a pet']);
});

test('a read runs on committed data, without a transaction', async () => {
  const database: Database<Reads, Repositories> = {
    ...opened.database,
    write: () => Promise.reject(new Error('a transaction')),
  };
  const reading = reads(listPetsContract, async (repositories: Reads, { page }) => ({
    body: (await repositories.pets.list({}, { ...page, after: undefined })).map(toPetBody),
  }));
  const request = { signal: undefined, once: undefined };
  const input = { page: { limit: 1, order: 'asc' } };
  expect(await createRunOperation(database, {})(reading)(input, SYSTEM_CALL, request)).toEqual({ body: [] });
});

describe('the transaction of a request', () => {
  const askedBy = async (operation: unknown, input: { path?: object; body?: object }) => {
    let asked: { row: string | undefined; isLong: boolean | undefined } | undefined;
    const database: Database<Reads, Repositories> = {
      ...opened.database,
      write: (_call, _body, row, isLong) => {
        asked = { row, isLong };
        return Promise.reject(new Error('not run'));
      },
    };
    const runOperation = createRunOperation(database, {})(operation as Operation<Reads, Repositories, object>);
    const request = { signal: undefined, once: undefined };
    await expect((async () => runOperation({ path: {}, ...input }, SYSTEM_CALL, request))()).rejects.toThrow('not run');
    return asked;
  };
  const rowOf = async (...of: Parameters<typeof askedBy>) => (await askedBy(...of))?.row;

  test('is long only for a batch', async () => {
    expect(await askedBy(createPetBatch, { body: { pets: [] } })).toMatchObject({ isLong: true });
    expect(await askedBy(createPet, { body: { categoryId: 1n } })).toMatchObject({ isLong: false });
  });

  test('locks the row named first in its path', async () => {
    expect(await rowOf(updatePet, { path: { petId: 7n }, body: { categoryId: 1n } })).toBe('petId 7');
    expect(await rowOf(approveOrder, { path: { orderId: 7n } })).toBe('orderId 7');
    expect(await rowOf(redeliverEvent, { path: { deliveryId: 'd', webhookId: 'w' } })).toBe('webhookId w');
  });

  test('locks the same pet for an order as for a change', async () => {
    expect(await rowOf(placeOrder, { body: { petId: 7n } })).toBe('petId 7');
  });

  test('locks the next category number for every request that creates a category', async () => {
    expect(await rowOf(createCategory, { body: { name: 'Dogs' } })).toBe(await rowOf(createCategory, { body: {} }));
  });

  test('locks no row if requests can run concurrently', async () => {
    expect(await rowOf(createPet, { body: { categoryId: 1n } })).toBeUndefined();
  });
});

describe('an idempotent request', () => {
  const PET = { path: {}, query: {}, body: { name: 'Rex', categoryId: 1n, status: 'available' } };
  const once = { key: 'some-key', fingerprint: new Uint8Array([1]) };
  const pets = () => opened.database.read(1n).pets.list({}, { limit: 10, order: 'asc' });
  beforeEach(async () => {
    await opened.database.write(SYSTEM_CALL, ({ stores }) => stores.open(1n));
  });
  const createRun = (guard?: () => Promise<void>) => {
    const run = createRunOperation(
      opened.database,
      {},
      () => guard,
    )(createPet as unknown as Operation<Reads, Repositories, object>);
    return async (keyId: string) => run(PET, { ...SYSTEM_CALL, keyId }, { signal: undefined, once });
  };

  test('is not run again, and gets the same answer', async () => {
    const run = createRun();
    const first = await run('key_one');
    expect(await run('key_one')).toMatchObject({ replayed: true, location: first.location as string });
    expect(await pets()).toHaveLength(1);
  });

  test('is refused while the first one runs, except for another caller', async () => {
    const run = createRun();
    const [first, second, other] = await Promise.allSettled([run('key_one'), run('key_one'), run('key_two')]);
    expect([first.status, other.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(second).toMatchObject({ reason: { code: 'idempotency_in_progress' } });
    expect(await pets()).toHaveLength(2);
  });

  test('does not run, and stores no answer, if the guard refuses it', async () => {
    const refuse = createRun(() => Promise.reject(new Error('refused')));
    await expect(refuse('key_one')).rejects.toThrow('refused');
    expect(await pets()).toEqual([]);
    expect(await createRun()('key_one')).not.toHaveProperty('replayed');
  });
});
