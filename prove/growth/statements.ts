import type { Repositories } from '../../src/compose/repositories.ts';
import type { Key } from '../../src/resources/keys/key.ts';
import type { Order } from '../../src/resources/orders/order.ts';
import type { Pet } from '../../src/resources/pets/pet.ts';
import { deliveryStatements } from './delivery-statements.ts';
import { DAY_MS, HOUR_MS, NOW, type Store } from './fill.ts';
import { batch, count, type Methods, page, pages, row, search, sequences, unbounded } from './statement.ts';

const OLD = NOW - 29 * DAY_MS;
const BATCH = 1000;

const filters = [{}, { status: 'sold' } as const].flatMap((byStatus) =>
  [{}, { categoryId: 2n }].map((byCategory) => ({ ...byStatus, ...byCategory })),
);
const named = filters.flatMap((one) => [one, { ...one, name: 'pet 7' }]);
const ids = Array.from({ length: 100 }, (_, index) => BigInt(index + 1));
const pet: Pet = { id: 4n, name: 'Pet 4', categoryId: 2n, status: 'available', version: 1n, heldByOrderId: null };
const newPet = { name: 'Rex', categoryId: 2n, status: 'available' } as const;
const order = ({ keyId }: Store): Order => ({
  ...{ id: 4n, petId: 20n, status: 'placed', placedByKeyId: keyId },
  ...{ placedAt: NOW, updatedAt: NOW, expiresAt: NOW },
});
const key = ({ storeId, keyId: id }: Store): Key => ({
  ...{ id, storeId, name: 'Key', plan: 'free', limits: { perMinute: 1, perDay: 1, pets: null }, scopes: ['pets:read'] },
  ...{ prefix: 'pk', last4: '0000', admin: false, createdAt: NOW, expiresAt: null, lastUsedAt: null, revokedAt: null },
});
const created = { type: 'pet.created', object: { id: 1 }, petId: 1n } as const;
const ban = { bannedAt: NOW, until: NOW + HOUR_MS, forgottenAt: NOW + DAY_MS };
const answer = { fingerprint: new Uint8Array([1]), body: 'x', version: 1n, location: null };
const NEW_HASH = new Uint8Array([1, 2, 3]);

const catalogue: Methods<'pets' | 'categories' | 'orders' | 'idempotency' | 'dueOrders' | 'keptAnswers'> = {
  pets: {
    find: row(({ pets }) => pets.find(4n)),
    lock: row(({ pets }) => pets.lock(4n)),
    list: page(async ({ pets }) => {
      for (const filter of filters) {
        for (const one of pages(5n)) await pets.list(filter, one);
        await pets.list({ ...filter, ids }, { limit: 101, order: 'asc' });
      }
    }),
    listByName: [
      page(async ({ pets }) => {
        for (const filter of named) {
          if (!('categoryId' in filter)) {
            for (const one of pages({ foldedName: 'pet 70', id: 5n })) await pets.listByName(filter, one);
          }
          await pets.listByName({ ...filter, ids }, { limit: 101, order: 'asc' });
        }
      }),
      search(async ({ pets }) => {
        for (const filter of named.flatMap((one) => [one, { ...one, categoryId: 99_999n }])) {
          if (!('categoryId' in filter)) continue;
          for (const one of pages({ foldedName: 'pet 70', id: 5n })) await pets.listByName(filter, one);
        }
      }),
    ],
    search: search(async ({ pets }) => {
      for (const filter of filters.flatMap((one) => [one, { ...one, sort: 'name' } as const]))
        for (const text of ['pet', '77', 't 77', 'missing'])
          for (const one of pages({ foldedName: 'pet 70', id: 5n }))
            await pets.search({ ...filter, search: text }, one);
    }),
    inventory: page(({ pets }) => pets.inventory()),
    countForLimit: page(({ pets }) => pets.countForLimit(10_000)),
    insert: row(({ pets }) => pets.insert(newPet)),
    insertMany: batch(({ pets }) => pets.insertMany(Array(100).fill(newPet))),
    update: row(({ pets }) => pets.update(pet, { name: 'Max', status: 'sold' })),
    remove: row(({ pets }) => pets.remove(pet)),
    removeSome: batch(({ pets }) => pets.removeSome(BATCH)),
    moveSome: batch(({ pets }) => pets.moveSome(2n, 3n, 100)),
  },
  categories: {
    find: row(({ categories }) => categories.find(2n)),
    lock: row(({ categories }) => categories.lock(2n)),
    list: [
      page(async ({ categories }) => {
        for (const one of pages(2n)) await categories.list(one);
      }),
      count(async ({ categories }) => {
        for (const one of pages(2n)) await categories.list({ ...one, limit: 21 }, { withPets: true });
      }),
    ],
    record: row(({ categories }) => categories.record(5000n)),
    recordMany: batch(({ categories }) => categories.recordMany(new Set(ids))),
    insert: row(({ categories }) => categories.insert('Owls', 1n)),
    hasPets: row(({ categories }) => categories.hasPets(2n)),
    remove: row(({ categories }) => categories.remove(2n)),
    rename: row(({ categories }) => categories.rename(2n, 'Owls')),
    removeSome: batch(({ categories }) => categories.removeSome(BATCH)),
  },
  orders: {
    find: row(({ orders }) => orders.find(4n)),
    lock: row(({ orders }) => orders.lock(4n)),
    list: page(async ({ orders }) => {
      const status = 'placed' as const;
      for (const filter of [{}, { status }, { petId: 20n }, { status, petId: 20n }])
        for (const one of pages({ id: 2n })) await orders.list(filter, one);
      for (const status of [undefined, 'delivered'] as const)
        for (const one of pages({ placedAt: NOW - DAY_MS, id: 2n }))
          await orders.list({ status, placedFrom: NOW - 7 * DAY_MS, placedTo: NOW }, one);
    }),
    insert: row(({ orders }, store) => orders.insert(order(store))),
    update: row(({ orders }, store) => orders.update(order(store))),
    removeSome: batch(({ orders }) => orders.removeSome(BATCH)),
  },
  idempotency: {
    find: row(({ idempotency }, { keyId }) => idempotency.find(keyId, 'answer-4')),
    keep: row(({ idempotency }, { keyId }) => idempotency.keep(keyId, 'new', answer)),
  },
  dueOrders: { list: batch(({ dueOrders }) => dueOrders.list(NOW, 500)) },
  keptAnswers: { forget: batch(({ keptAnswers }) => keptAnswers.forget(NOW - DAY_MS, BATCH)) },
};

const accounts: Methods<'keys' | 'limits' | 'usage' | 'stores'> = {
  keys: {
    find: row(({ keys }, { keyId }) => keys.find(keyId)),
    findBySecret: row(({ keys }, { hash }) => keys.findBySecret(hash, NOW)),
    findAdmin: row(({ keys }) => keys.findAdmin()),
    list: page(async ({ keys }) => {
      for (const one of pages({ createdAt: NOW - 500, id: 'key_500' })) await keys.list(one);
    }),
    lock: row(({ keys }, { keyId }) => keys.lock(keyId)),
    lockAdmin: row(({ keys }) => keys.lockAdmin()),
    insert: row(({ keys }, store) => keys.insert({ ...key(store), id: 'key_new' }, NEW_HASH)),
    update: row(({ keys }, store) => keys.update(key(store))),
    replaceSecret: row(({ keys }, store) => keys.replaceSecret(key(store), NEW_HASH, NOW)),
  },
  limits: {
    load: 'runs only at start, and without Redis',
    findBan: row(({ limits }, { keyId }) => limits.findBan(keyId, NOW)),
    save: row(({ limits }, { keyId }) =>
      limits.save(new Map([[keyId, { windows: { minute: { used: 2, until: NOW } } }]])),
    ),
    addBan: row(({ limits }, { keyId }) => limits.addBan(keyId, ban)),
    liftBan: row(({ limits }, { keyId }) => limits.liftBan(keyId, NOW - 1)),
    forget: batch(({ limits }) => limits.forget(NOW)),
  },
  usage: {
    hoursOf: batch(({ usage }, { keyId }) => usage.hoursOf(keyId, NOW - 30 * DAY_MS)),
    deprecatedCalls: 'lists every key that calls a deprecated operation, on one page for the operator',
    newestHour: row(({ usage }) => usage.newestHour(NOW - DAY_MS)),
    add: row(({ usage }, { keyId }) => {
      const hours = [{ hour: NOW - (NOW % HOUR_MS), status: 200, count: 1 }];
      const deprecated = [{ operation: 'listPets', keyId, calls: 1, lastCalledAt: NOW }];
      return usage.add([{ keyId, lastUsedAt: NOW, hours, deprecated }]);
    }),
    forget: batch(({ usage }) => usage.forget(OLD, BATCH)),
  },
  stores: {
    open: row(({ stores }) => stores.open(1_000_000_000n)),
    openNext: row(({ stores }) => stores.openNext()),
    addFirstCategories: batch(({ stores }, { storeId }) => stores.addFirstCategories(storeId)),
    isResetting: row(({ stores }, { storeId }) => stores.isResetting(storeId)),
    beginReset: row(({ stores }, { storeId, keyId }) => stores.beginReset({ storeId, keyId, requestId: null })),
    continueReset: row(async ({ stores }, { storeId, keyId }) => {
      await stores.beginReset({ storeId, keyId, requestId: null });
      await stores.continueReset(storeId);
    }),
    endReset: row(({ stores }, { storeId }) => stores.endReset(storeId)),
    countPets: page(({ stores }, { storeId }) => stores.countPets(storeId)),
    findReset: row(({ stores }, { storeId }) => stores.findReset(storeId)),
    listAbandonedResets: page(({ stores }) => stores.listAbandonedResets(NOW, 100)),
  },
};

const history: Methods<'events' | 'oldEvents' | 'sequencer'> = {
  events: {
    list: page(async ({ events }, { keyId }) => {
      for (const one of pages(30n)) {
        for (const type of [undefined, 'pet.created'] as const) {
          for (const filter of [{ petId: 3n }, { orderId: 4n }, { keyId }]) {
            await events.list({ ...filter, type, withOperators: true }, one);
          }
        }
        for (const withOperators of [true, false]) await events.list({ withOperators }, one);
        await events.list({ type: 'pet.created', withOperators: false }, one);
        await events.list({ type: 'key.updated', withOperators: true }, one);
      }
    }),
    find: row(({ events }) => events.find(7n, { withOperators: false })),
    range: row(({ events }) => events.range()),
    counts: [
      batch(({ events }) => events.counts({ period: 'hour', from: NOW - 31 * DAY_MS, to: NOW })),
      batch(({ events }) => events.counts({ period: 'day', from: NOW - 400 * DAY_MS, to: NOW })),
    ],
    sequenceOf: batch(({ events }) => events.sequenceOf('evt_x', { above: 0n, upTo: 1000n })),
    listAudited: page(async ({ events }, { storeId }) => {
      for (const one of pages({ occurredAt: NOW - DAY_MS, storeId, sequence: 5n })) await events.listAudited(one);
    }),
    listOfPet: page(async ({ events }) => {
      for (const one of pages(30n)) await events.listOfPet(3n, one);
    }),
    count: row(({ events }) => events.count()),
    forget: batch(({ events }) => events.forget(OLD, BATCH)),
    append: row(({ events }) => events.append(created)),
    appendMany: batch(({ events }) => events.appendMany(Array(100).fill(created))),
  },
  oldEvents: {
    stores: page(({ oldEvents }) => oldEvents.stores(OLD, 100)),
  },
  sequencer: {
    next: row(({ sequencer }, { storeId }) => sequencer.next(storeId, 1)),
    pendingSince: page(({ sequencer }) => sequencer.pendingSince()),
    assignPending: batch(async ({ sequencer, events }, { storeId }) => {
      await events.append(created);
      await sequencer.assignPending(storeId);
      await events.append(created);
      await sequencer.assignPending();
    }),
    assignAll: page(({ sequencer }) => sequencer.assignAll()),
    assignSome: sequences(async ({ sequencer, events }, { storeId }) => {
      await events.appendMany(Array(BATCH).fill(created));
      await sequencer.assignSome(storeId);
    }),
    committed: 'wakes readers in this process, without a statement',
  },
};

const question = { keyChanges: 5n, storeIds: ids, hasStandby: true };

const cluster: Methods<'cluster'> = {
  cluster: {
    read: [
      page(({ cluster }) => cluster.read({ ...question, workAt: NOW })),
      unbounded(({ cluster }) => cluster.read({ ...question, workAt: 0 })),
    ],
    lead: row(({ cluster }) => cluster.lead('me', NOW, NOW + 1000)),
    resign: row(({ cluster }) => cluster.resign('me')),
    suspendStandby: row(({ cluster }) => cluster.suspendStandby(1000)),
  },
};

/** Contains every method of every repository. The compiler reports an error if a method is missing. */
export const STATEMENTS: Methods<Exclude<keyof Repositories, 'now' | 'pause' | 'seedStore' | 'seedHistory'>> = {
  ...catalogue,
  ...accounts,
  ...cluster,
  ...deliveryStatements,
  ...history,
};
