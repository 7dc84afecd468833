import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  ANSWER,
  addTwins,
  type Bound,
  dump,
  OWN,
  openWorld,
  order,
  pet,
  settle,
  TWINS,
  type World,
  webhook,
  write,
} from '../../test/twin-stores.ts';
import { failure } from '../../test/webhook-rows.ts';
import type { Delivery } from '../resources/webhooks/delivery.ts';

/**
 * Calls every repository method twice: first with one store in the database, then with two more stores whose rows have
 * the same ids but different content. A query that does not filter by store returns a different result the second time.
 */

const ASC = { limit: 9, order: 'asc' } as const;
const FIRST = { ...ASC, limit: 1 };
const DESC = { ...ASC, order: 'desc' } as const;
const ENDPOINT = { storeId: OWN, webhookId: 'wh_one', url: '', secrets: [] };

const deliveriesOf = ({ webhooks }: Bound) => webhooks.listDeliveries('wh_one', ASC);
const firstOf = async (bound: Bound) => (await deliveriesOf(bound))[0] as Delivery;
const due = ({ id, attempt, nextAttemptAt }: Delivery) => ({ id, attempt, dueAt: nextAttemptAt as number });
const own = async <Row>(row: Row | undefined | Promise<Row | undefined>): Promise<Row> => {
  const found = await row;
  if (found === undefined) throw new Error('there is none');
  return found;
};

type Step = readonly [string, (bound: Bound, now: number) => unknown];

const STEPS: readonly Step[] = [
  ['pets.find', ({ pets }) => pets.find(1n)],
  ['pets.list', ({ pets }) => pets.list({}, ASC)],
  ['pets.list: backwards', ({ pets }) => pets.list({}, { ...DESC, after: 3n })],
  ['pets.list: by status', ({ pets }) => pets.list({ status: 'available' }, ASC)],
  ['pets.list: by category', ({ pets }) => pets.list({ categoryId: 1n }, ASC)],
  ['pets.list: by id', ({ pets }) => pets.list({ ids: [1n] }, ASC)],
  ['pets.list: by ids', ({ pets }) => pets.list({ ids: [1n, 2n, 3n] }, ASC)],
  ['pets.listByName', ({ pets }) => pets.listByName({}, ASC)],
  ['pets.listByName: by name', ({ pets }) => pets.listByName({ name: 'a' }, DESC)],
  ['pets.listByName: by category', ({ pets }) => pets.listByName({ categoryId: 1n }, ASC)],
  ['pets.listByName: by ids', ({ pets }) => pets.listByName({ ids: [1n, 2n] }, ASC)],
  ['pets.search', ({ pets }) => pets.search({ search: 'a' }, ASC)],
  ['pets.search: by name', ({ pets }) => pets.search({ search: 'a', sort: 'name' }, DESC)],
  ['pets.inventory', ({ pets }) => pets.inventory()],
  ['pets.countForLimit', ({ pets }) => pets.countForLimit(5)],
  ['orders.find', ({ orders }) => orders.find(1n)],
  ['orders.list', ({ orders }) => orders.list({}, ASC)],
  ['orders.list: by pet and status', ({ orders }) => orders.list({ petId: 1n, status: 'placed' }, ASC)],
  ['orders.list: by time', ({ orders }) => orders.list({ placedFrom: 0 }, ASC)],
  ['orders.list: by status and time', ({ orders }, now) => orders.list({ status: 'placed', placedTo: now + 1 }, DESC)],
  ['categories.hasPets', ({ categories }) => categories.hasPets(1n)],
  ['categories.hasPets: without pets', ({ categories }) => categories.hasPets(1000n)],
  ['events.counts', ({ events }, now) => events.counts({ period: 'hour', from: 0, to: now + 1 })],
  ['categories.find', ({ categories }) => categories.find(1000n)],
  ['categories.list', ({ categories }) => categories.list(ASC)],
  ['categories.list: with pets', ({ categories }) => categories.list(ASC, { withPets: true })],
  ['idempotency.find', ({ idempotency }) => idempotency.find('key_own', 'once')],
  ['events.list', ({ events }) => events.list({ withOperators: false }, ASC)],
  ['events.list: by type', ({ events }) => events.list({ type: 'key.created', withOperators: true }, ASC)],
  ['events.find', ({ events }) => events.find(1n, { withOperators: false })],
  ['events.listOfPet', ({ events }) => events.listOfPet(1n, ASC)],
  ['events.range', ({ events }) => events.range()],
  ['events.count', ({ events }) => events.count()],
  [
    'events.sequenceOf',
    async ({ events }) => {
      const [first] = await events.list({ withOperators: true }, FIRST);
      return events.sequenceOf(first?.id ?? '', { above: 0n, upTo: 9n });
    },
  ],
  ['webhooks.find', ({ webhooks }) => webhooks.find('wh_one')],
  ['webhooks.list', ({ webhooks }) => webhooks.list(ASC, { withOperators: false })],
  ['webhooks.list: with those of the operator', ({ webhooks }) => webhooks.list(ASC, { withOperators: true })],
  ['webhooks.listDeliveries', deliveriesOf],
  ['webhooks.findDelivery', async (bound) => bound.webhooks.findDelivery('wh_one', (await firstOf(bound)).id)],
  ['deliveryQueue.lagging', ({ deliveryQueue }) => deliveryQueue.lagging(OWN)],
  ['deliveryQueue.endpoints', ({ deliveryQueue }, now) => deliveryQueue.endpoints(now, OWN)],
  ['deliveryQueue.deliveries', ({ deliveryQueue }, now) => deliveryQueue.deliveries(ENDPOINT, now, 9)],

  ['pets.lock', ({ pets }) => pets.lock(1n)],
  ['pets.update', async ({ pets }) => pets.update(await own(pets.lock(1n)), { name: 'new', status: 'pending' })],
  ['pets.insert', ({ pets }) => pets.insert(pet('dot'))],
  ['pets.insertMany', ({ pets }) => pets.insertMany([pet('eve')])],
  ['pets.moveSome', ({ pets }) => pets.moveSome(1n, 2n, 2)],
  ['pets.remove', async ({ pets }) => pets.remove(await own(pets.lock(2n)))],
  ['pets.removeSome', ({ pets }) => pets.removeSome(2)],
  ['orders.lock', ({ orders }) => orders.lock(1n)],
  ['orders.update', ({ orders }, now) => orders.update({ ...order(now + 1), id: 1n, status: 'cancelled' })],
  ['orders.insert', ({ orders }, now) => orders.insert(order(now))],
  ['orders.removeSome', ({ orders }) => orders.removeSome(2)],
  ['categories.lock', ({ categories }) => categories.lock(1000n)],
  ['categories.rename', ({ categories }) => categories.rename(1000n, 'other')],
  ['categories.record', ({ categories }) => categories.record(1003n)],
  ['categories.recordMany', ({ categories }) => categories.recordMany(new Set([1000n, 1001n, 1004n]))],
  ['categories.insert', ({ categories }) => categories.insert('fills a gap', 1000n)],
  ['categories.insert: after it', ({ categories }) => categories.insert('behind', 1000n)],
  ['categories.insert: after two runs', ({ categories }) => categories.insert('behind', 5000n)],
  ['categories.remove', ({ categories }) => categories.remove(1000n)],
  ['categories.removeSome', ({ categories }) => categories.removeSome(4)],
  ['idempotency.keep', ({ idempotency }) => idempotency.keep('key_own', 'twice', { ...ANSWER, body: '{"new":1}' })],
  ['events.append', ({ events }) => events.append({ type: 'pet.created', object: {}, petId: 4n })],
  ['events.appendMany', ({ events }) => events.appendMany([{ type: 'pet.deleted', object: {}, petId: 4n }])],

  ['webhooks.lock', ({ webhooks }) => webhooks.lock('wh_one')],
  ['webhooks.lockCount', ({ webhooks }) => webhooks.lockCount(false)],
  ['webhooks.insert', ({ webhooks }, now) => webhooks.insert(webhook('wh_new', now), 'whsec_own')],
  ['webhooks.replaceSecret', ({ webhooks }, now) => webhooks.replaceSecret('wh_one', 'whsec_new', now + 9)],
  [
    'webhooks.recordAttempt',
    async (bound, now) => {
      const delivery = due(await firstOf(bound));
      await bound.webhooks.recordAttempt(delivery, failure, { state: 'pending', attemptAt: now + 5 });
    },
  ],
  ['webhooks.redeliver', async (bound) => bound.webhooks.redeliver('wh_one', await firstOf(bound))],
  ['webhooks.giveUp', async (bound) => bound.webhooks.giveUp(due(await firstOf(bound)), 'not sent')],
  ['webhooks.noteHealth', ({ webhooks }) => webhooks.noteHealth('wh_one', false)],
  [
    'webhooks.sendTest',
    async ({ webhooks, events }) =>
      webhooks.sendTest('wh_one', await events.append({ type: 'webhook.test', object: {} })),
  ],
  [
    'webhooks.sendTest: with an event id that other stores use',
    async ({ webhooks, events }) => {
      const [first] = await events.list({ type: 'webhook.test', withOperators: true }, FIRST);
      return webhooks.sendTest('wh_one', first?.id ?? '');
    },
  ],
  ['webhooks.fanOut', ({ webhooks }) => webhooks.fanOut(2)],
  ['webhooks.claim', async (bound) => bound.webhooks.claim([(await firstOf(bound)).id])],
  ['webhooks.release', async (bound) => bound.webhooks.release(due(await firstOf(bound)))],
  ['webhooks.hasten', ({ webhooks }, now) => webhooks.hasten(now, 9)],
  ['webhooks.settle', ({ webhooks }) => webhooks.settle()],
  [
    'webhooks.update',
    ({ webhooks }, now) => webhooks.update({ ...webhook('wh_one', now), enabled: false, disabledReason: 'gone' }),
  ],
  ['webhooks.update: enabled again', ({ webhooks }, now) => webhooks.update(webhook('wh_one', now))],
  ['webhooks.forgetDeliveries', ({ webhooks }, now) => webhooks.forgetDeliveries(now + 1, 1)],
  [
    'webhooks.clear',
    async ({ webhooks, sql }) => {
      await sql.run(`UPDATE webhooks SET state = 'removing' WHERE store_id = $1 AND id = 'wh_two'`, [OWN]);
      return [await webhooks.clear('wh_two', 1), await webhooks.clear('wh_two', 9)];
    },
  ],
  ['webhooks.remove', ({ webhooks }) => webhooks.remove('wh_one')],
  ['deliveryQueue.endpoints: without deliveries', ({ deliveryQueue }, now) => deliveryQueue.endpoints(now, OWN)],
  ['events.forget', ({ events }, now) => events.forget(now + 1, 4)],
  ['events.range: after deleted events', ({ events }) => events.range()],
  ['events.count: without deleted events', ({ events }) => events.count()],

  ['stores.isResetting', ({ stores }) => stores.isResetting(OWN)],
  ['stores.beginReset', ({ stores }) => stores.beginReset({ storeId: OWN, keyId: 'key_own', requestId: 'req_own' })],
  ['stores.findReset', ({ stores }) => stores.findReset(OWN)],
  ['stores.isResetting: now', ({ stores }) => stores.isResetting(OWN)],
  ['stores.continueReset', ({ stores }) => stores.continueReset(OWN)],
  ['stores.endReset', ({ stores }) => stores.endReset(OWN)],
  ['stores.continueReset: when it has ended', ({ stores }) => stores.continueReset(OWN)],
  ['stores.addFirstCategories', ({ stores }) => stores.addFirstCategories(OWN)],
];

/** These methods read all stores on purpose, because they serve operators or jobs. */
const OF_ALL = ['events.listAudited'];

const run = async (world: World, twins: readonly bigint[]) => {
  const results = new Map<string, { answer: string; rows: string; areTwinsTheSame: boolean }>();
  for (const [name, step] of STEPS) {
    const before = await dump(world, twins);
    const answer = await write(world, (bound) => step(bound, world.now)).catch(String);
    const areTwinsTheSame = (await dump(world, twins)) === before;
    results.set(name, { answer: Bun.inspect(answer, { depth: 9 }), rows: await dump(world, [OWN]), areTwinsTheSame });
  }
  return results;
};

describe('a repository of a store', () => {
  let [alone, between]: [World?, World?] = [];
  let results: Awaited<ReturnType<typeof run>>[];
  let methods: string[];
  beforeAll(async () => {
    [alone, between] = [openWorld(), openWorld()];
    await settle(alone);
    await settle(between);
    await addTwins(between);
    results = [await run(alone, []), await run(between, TWINS)];
    methods = await write(alone, ({ categories, pets, orders, idempotency, webhooks, events }) =>
      Object.entries({ categories, pets, orders, idempotency, webhooks, events }).flatMap(([name, repository]) =>
        Object.keys(repository).map((method) => `${name}.${method}`),
      ),
    );
  });
  afterAll(() => Promise.all([alone?.close(), between?.close()]));

  test('has a case here for each of its methods', () => {
    const asked = STEPS.map(([name]) => name.split(':')[0]);
    expect(methods.filter((method) => !asked.includes(method) && !OF_ALL.includes(method))).toEqual([]);
  });

  test.each(STEPS.map(([name]) => name))('neither sees nor changes rows of another store: %s', (name) => {
    const [expected, seen] = results.map((each) => each.get(name));
    expect(expected?.answer).not.toContain('Error');
    expect(seen).toEqual(expected as NonNullable<typeof expected>);
  });
});
