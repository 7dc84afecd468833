import { beforeEach, describe, expect, test } from 'bun:test';
import type { Sql } from '../../storage/sql.ts';
import { sqlPets } from './pets.repository.sql.ts';

const PET = { id: 7n, name: 'Rex', categoryId: 1n, status: 'available', version: 1n, heldByOrderId: null } as const;

describe('on an engine that answers asynchronously', () => {
  let steps: string[];
  const later = async (step: string) => {
    steps.push(`${step} begins`);
    await Bun.sleep(1);
    steps.push(`${step} ends`);
  };
  const engine: Partial<Sql> = {
    writer: 0n,
    one: async <Row>(_: string, values: readonly unknown[]) => (values[1] === 7n ? (PET as Row) : undefined),
    nextId: async () => 7n,
    run: () => later('insert'),
    add: () => later('count'),
  };
  const pets = sqlPets(engine as Sql, 1n, () => 0);
  beforeEach(() => {
    steps = [];
  });

  test('a pet is found by its id, and no other', async () => {
    expect([await pets.find(7n), await pets.find(8n)]).toEqual([PET, undefined]);
  });

  test('adding a pet waits until it is inserted and then counted', async () => {
    expect(await pets.insert({ name: 'Rex', categoryId: 1n, status: 'available' })).toEqual(PET);
    expect(steps).toEqual(['insert begins', 'insert ends', 'count begins', 'count ends']);
  });
});
