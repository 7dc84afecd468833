import { expect, test } from 'bun:test';
import { SYSTEM_CALL } from '../../kernel/operation.ts';
import type { Sql, SqlValue } from '../../storage/sql.ts';
import type { Sequencer } from '../../streaming/sequencer.ts';
import { sqlEventLog, sqlEvents } from './events.repository.sql.ts';

/** A fake database. Like PostgreSQL, it answers asynchronously and assigns sequence numbers after the commit. */
const open = (row?: object) => {
  const steps: string[] = [];
  const rows: (readonly SqlValue[])[] = [];
  const later = async (step: string) => {
    steps.push(`${step} begins`);
    await Bun.sleep(1);
    steps.push(`${step} ends`);
  };
  const engine: Partial<Sql> = {
    run: (_, values) => {
      rows.push(values);
      return later('insert');
    },
    one: async <Row>() => {
      steps.push('read');
      return row as Row | undefined;
    },
    all: async () => {
      steps.push('read');
      return [];
    },
    writeCounters: () => undefined,
    afterCommit: () => undefined,
  };
  const sql = engine as Sql;
  const sequencing: Partial<Sequencer> = {
    next: async () => null,
    assignPending: (storeId) => later(`assignment in ${storeId ?? 'all stores'}`),
  };
  const sequencer = sequencing as Sequencer;
  const log = sqlEventLog(sql, 1n, { now: () => 0, randomText: (length) => '0'.repeat(length), sequencer })(
    SYSTEM_CALL,
  );
  return { steps, rows, log, events: sqlEvents(sql, 1n, sequencer, () => 0) };
};
const CHANGE = { type: 'pet.created', object: {} } as const;
const ID = `evt_${'0'.repeat(24)}`;

test('appending an event waits until it is inserted', async () => {
  const { steps, log } = open();
  expect(await log.append(CHANGE)).toBe(ID);
  expect(steps).toEqual(['insert begins', 'insert ends']);
});

test('every event of a batch has an id of 24 random characters', async () => {
  const { rows, log } = open();
  await log.appendMany([CHANGE, CHANGE]);
  expect(rows.flat().filter((value) => String(value).startsWith('evt_'))).toEqual([ID, ID]);
});

test('events are read only after every committed event has a sequence', async () => {
  const page = { limit: 1, order: 'asc' } as const;
  const { steps, events } = open();
  const inOrder = ['assignment in 1 begins', 'assignment in 1 ends', 'read'];
  await events.list({ withOperators: true }, page);
  expect(steps.splice(0)).toEqual(inOrder);
  await events.range();
  expect(steps.splice(0)).toEqual(inOrder);
  await events.find(1n, { withOperators: true });
  expect(steps.splice(0)).toEqual(inOrder);
  await events.listOfPet(7n, page);
  expect(steps.splice(0)).toEqual(inOrder);
  await events.listAudited(page);
  expect(steps).toEqual(inOrder.map((step) => step.replace('in 1', 'in all stores')));
});

test('events without a sequence are also counted', async () => {
  expect(await open({ first: 3n, last: 5n, pending: 2n }).events.count()).toBe(5);
  expect(await open({ first: null, last: null, pending: 2n }).events.count()).toBe(2);
});
