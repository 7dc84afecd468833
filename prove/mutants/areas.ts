/** With a change here tests could call addresses of other machines: they are run where there are none. */
export const SENDING: readonly string[] = ['src/webhooks/send.ts'];

/** Asks every repository of a store between two others. */
const APART = 'src/compose/repositories.stores.test.ts';

/** Holds every repository to its locks, which only PostgreSQL has. */
const LOCKS = 'src/compose/repositories.postgres.test.ts';

/**
 * The rules of security, money and durability: by area the files that hold them, each with the tests that have to notice when
 * it is changed, the quickest first. The test beside a file comes before them, and need not be named unless others are quicker.
 */
export const AREAS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  limits: {
    'src/limits/window.ts': [],
    'src/limits/limiter.memory.ts': ['src/limits/limiter.memory.unsaved.test.ts', 'src/limits/limiter.memory.test.ts'],
    'src/limits/policy.ts': [],
    'src/limits/refusal.ts': [],
    'src/limits/limits.repository.sql.ts': ['src/limits/limits.repository.test.ts'],
  },
  'limits on Redis': {
    'src/limits/script.redis.ts': ['src/limits/script.redis.test.ts', 'src/limits/limiter.redis.test.ts'],
  },
  keys: {
    'src/keys/authenticate-key.ts': [],
    'src/keys/key.ts': [],
    'src/keys/secret.ts': [],
    'src/keys/ban-key.ts': [],
    'src/keys/unban-key.ts': ['src/keys/ban-key.test.ts', 'src/keys/unban-key.test.ts'],
    'src/keys/revoke-key.ts': [],
    'src/keys/rotate-key.ts': [],
    'src/keys/key-cache.memory.ts': [],
    'src/keys/keys.repository.sql.ts': ['src/keys/keys.repository.test.ts', LOCKS],
  },
  scopes: {
    'src/http/refusals.ts': [],
    'src/http/checks.ts': [],
    'src/webhooks/telling.ts': [],
    'src/webhooks/key-scopes.sql.ts': ['src/webhooks/webhooks.repository.test.ts', 'test/webhook-scopes.test.ts'],
    'src/webhooks/refuse-webhook.ts': [],
  },
  strangers: {
    'src/http/entrance.ts': ['src/http/checks.test.ts', 'test/counted-refusals.sqlite.test.ts'],
    'src/http/page-checks.ts': ['test/counted-refusals.sqlite.test.ts'],
    'src/http/line-allowance.ts': [],
  },
  orders: {
    'src/orders/order.ts': ['src/orders/list-orders.test.ts'],
    'src/orders/place-order.ts': [],
    'src/orders/move-order.ts': ['src/orders/expire-orders.test.ts'],
    'src/orders/expire-orders.ts': ['src/orders/expire-orders.race.test.ts', 'src/orders/expire-orders.test.ts'],
    'src/pets/pet.ts': [],
    'src/pets/delete-pet.ts': ['src/pets/delete-pet.test.ts', 'src/pets/update-pet.if-match.test.ts'],
    'src/kernel/precondition.ts': [],
    'src/orders/orders.repository.sql.ts': [APART, 'src/orders/orders.repository.test.ts', LOCKS],
  },
  'rows of a store': {
    'src/pets/pets.repository.sql.ts': [APART, 'src/pets/pets.repository.test.ts', LOCKS],
    'src/categories/categories.repository.sql.ts': [
      APART,
      'src/categories/categories.repository.test.ts',
      'src/categories/categories.repository.postgres.test.ts',
      LOCKS,
    ],
    'src/events/events.repository.sql.ts': [
      APART,
      'src/events/events.repository.test.ts',
      'src/events/outbox.test.ts',
      'src/events/sequencer.test.ts',
      'src/webhooks/forget-events.test.ts',
    ],
    'src/stores/stores.repository.sql.ts': [APART, 'src/stores/stores.repository.test.ts', LOCKS],
  },
  paging: {
    'src/kernel/page.ts': ['src/pets/list-pets.test.ts'],
    'src/database/page.sql.ts': [],
    'src/http/links.ts': [],
  },
  cursors: {
    'src/http/cursor.ts': [],
    'src/kernel/time-position.ts': [],
  },
  signatures: {
    'src/webhooks/signature.ts': [],
    'src/webhooks/attempt-delivery.ts': [],
    'src/webhooks/rotate-webhook-secret.ts': ['test/webhook-delivery.test.ts', 'test/webhooks.test.ts'],
    // Not those that send: a judge that is wrong would have them call public addresses.
    'src/webhooks/address.ts': [],
    'src/webhooks/send.ts': ['test/ssrf.test.ts', 'src/webhooks/send.test.ts', 'test/webhook-names.test.ts'],
  },
  idempotency: {
    'src/idempotency/run-once.ts': [],
    'src/idempotency/in-flight.ts': [],
    'src/idempotency/idempotency.repository.sql.ts': [
      APART,
      'src/idempotency/idempotency.repository.test.ts',
      'src/idempotency/run-once.test.ts',
    ],
    'src/http/idempotency-key.ts': [],
    'src/compose/run-operation.ts': [],
  },
  'deletion by age': {
    'src/kernel/clock-guard.ts': [],
    'src/compose/deletions.ts': [],
  },
  'group commit': {
    'src/database/group-commit.ts': [
      'src/database/group-commit.waiting.test.ts',
      'src/database/group-commit.long.test.ts',
      'src/database/group-commit.test.ts',
      'src/database/group-commit.held-up.test.ts',
      'src/database/sqlite.sync.test.ts',
    ],
    'src/database/group-transaction.ts': [
      'src/database/group-commit.test.ts',
      'src/database/group-commit.long.test.ts',
    ],
    'src/database/sqlite.sync.ts': ['src/database/sqlite.sync.close.test.ts', 'src/database/sqlite.sync.test.ts'],
    'src/database/counters.ts': [],
    'src/database/group-queue.ts': [
      'src/database/group-queue.test.ts',
      'src/database/group-commit.waiting.test.ts',
      'src/database/group-commit.test.ts',
    ],
    'src/database/group-sync.ts': ['src/database/group-sync.test.ts', 'src/database/group-commit.test.ts'],
    'src/database/sqlite.snapshot.ts': ['src/database/sqlite.snapshot.test.ts', 'src/database/sqlite.sync.test.ts'],
  },
  'states of webhooks': {
    'src/webhooks/delivery.ts': [],
    'src/webhooks/record-attempt.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/switch-off-webhook.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/silence-webhooks.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/leases.memory.ts': ['src/webhooks/leases.test.ts'],
    'src/webhooks/webhooks.repository.sql.ts': [
      APART,
      'src/webhooks/webhooks.repository.test.ts',
      LOCKS,
      'src/events/sequencer.test.ts',
    ],
    'src/webhooks/attempts.repository.sql.ts': [APART, 'src/webhooks/webhooks.repository.test.ts'],
    'src/webhooks/clear.repository.sql.ts': [APART, 'src/webhooks/webhooks.repository.test.ts'],
    'src/webhooks/deliveries.repository.sql.ts': [
      APART,
      'src/webhooks/webhooks.repository.test.ts',
      'src/webhooks/forget-events.test.ts',
      'src/events/sequencer.test.ts',
    ],
    'src/webhooks/fan-out.repository.sql.ts': [APART, 'src/webhooks/webhooks.repository.test.ts', LOCKS],
    'src/webhooks/queue.repository.sql.ts': [
      APART,
      'src/webhooks/webhooks.repository.test.ts',
      'test/counters-in-transactions.test.ts',
    ],
    'src/instances/leases.repository.sql.ts': [
      'src/instances/leases.repository.test.ts',
      'src/instances/leader-only.test.ts',
    ],
  },
};
