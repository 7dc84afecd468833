import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createCategory } from '../categories/create-category.ts';
import type { Database } from '../database/database.ts';
import { type Operation, SYSTEM_CALL, writes } from '../kernel/operation.ts';
import { approveOrder } from '../orders/approve-order.ts';
import { placeOrder } from '../orders/place-order.ts';
import { createPetContract } from '../pets/create-pet.contract.ts';
import { createPet } from '../pets/create-pet.ts';
import { toPetBody } from '../pets/pet.ts';
import { updatePet } from '../pets/update-pet.ts';
import { redeliverEvent } from '../webhooks/redeliver-event.ts';
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

  /** Adds an animal, and meanwhile does something else. */
  const addPet = (meanwhile: () => void) =>
    writes(createPetContract, async (repositories: Repositories) => {
      const pet = await repositories.pets.insert(PET);
      meanwhile();
      return { body: toPetBody(pet), version: pet.version, location: '' };
    });
  const runOperation = (meanwhile: () => void, signal: AbortSignal) =>
    createRunOperation(opened.database, {})(addPet(meanwhile))({ path: {} }, SYSTEM_CALL, { signal, once: undefined });

  test('before its turn does nothing', async () => {
    let isRun = false;
    const run = () => {
      isRun = true;
    };
    await expect(runOperation(run, AbortSignal.abort())).rejects.toThrow('The request ended early.');
    expect(isRun).toBe(false);
    expect(await pets()).toEqual([]);
  });

  test('while it is served leaves nothing: it gets no answer', async () => {
    const ending = new AbortController();
    await expect(runOperation(() => ending.abort(), ending.signal)).rejects.toThrow('The request ended early.');
    expect(await pets()).toEqual([]);
  });
});

describe('the row that a request wants first', () => {
  const rowOf = async (operation: unknown, input: { path?: object; body?: object }) => {
    let named: string | undefined;
    const database: Database<Reads, Repositories> = {
      ...opened.database,
      write: (_call, _body, row) => {
        named = row;
        return Promise.reject(new Error('not run'));
      },
    };
    const runOperation = createRunOperation(database, {})(operation as Operation<Reads, Repositories, object>);
    const request = { signal: undefined, once: undefined };
    await expect((async () => runOperation({ path: {}, ...input }, SYSTEM_CALL, request))()).rejects.toThrow('not run');
    return named;
  };

  test('is the one that its path names first', async () => {
    expect(await rowOf(updatePet, { path: { petId: 7n }, body: { categoryId: 1n } })).toBe('petId 7');
    expect(await rowOf(approveOrder, { path: { orderId: 7n } })).toBe('orderId 7');
    expect(await rowOf(redeliverEvent, { path: { deliveryId: 'd', webhookId: 'w' } })).toBe('webhookId w');
  });

  test('is the same animal for those who order it and those who change it', async () => {
    expect(await rowOf(placeOrder, { body: { petId: 7n } })).toBe('petId 7');
  });

  test('is the next number of a category for all who want one', async () => {
    expect(await rowOf(createCategory, { body: { name: 'Dogs' } })).toBe(await rowOf(createCategory, { body: {} }));
  });

  test('is none where many can be served at once', async () => {
    expect(await rowOf(createPet, { body: { categoryId: 1n } })).toBeUndefined();
  });
});
