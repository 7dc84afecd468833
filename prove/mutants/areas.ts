/** Mutants of these files could send requests to other machines, so their tests run without network access. */
export const SENDING: readonly string[] = ['src/delivery/send.ts'];

const APART = 'src/compose/repositories.stores.test.ts';

const LOCKS = 'src/compose/repositories.postgres.test.ts';

/**
 * The tests that must detect the mutants of each file, fastest first. The test file in the same
 * folder as the source file runs before them, unless the list contains it.
 */
export const AREAS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  limits: {
    'src/limits/window.ts': [
      'src/limits/window.clock.test.ts',
      'src/limits/window.policy.test.ts',
      'src/limits/window.test.ts',
    ],
    'src/limits/limiter.memory.ts': ['src/limits/limiter.memory.unsaved.test.ts', 'src/limits/limiter.memory.test.ts'],
    'src/limits/limiter.ts': [],
    'src/limits/limits.repository.sql.ts': ['src/limits/limits.repository.test.ts'],
  },
  'limits on Redis': {
    'src/limits/redis/script.redis.ts': [
      'src/limits/redis/script.redis.test.ts',
      'src/limits/redis/limiter.redis.test.ts',
    ],
  },
  keys: {
    'src/auth/authenticate-key.ts': ['src/auth/authenticate-key.test.ts', 'src/auth/authenticate-key.cache.test.ts'],
    'src/resources/keys/key.ts': [],
    'src/resources/keys/secret.ts': ['src/resources/keys/guessable.test.ts'],
    'src/auth/ban-key.ts': [],
    'src/resources/keys/unban-key.ts': ['src/auth/ban-key.test.ts', 'src/resources/keys/unban-key.test.ts'],
    'src/resources/keys/revoke-key.ts': [],
    'src/resources/keys/rotate-key.ts': [],
    'src/resources/keys/keys.repository.sql.ts': ['src/resources/keys/keys.repository.test.ts', LOCKS],
  },
  scopes: {
    'src/http/handle.ts': ['src/http/handle.test.ts', 'test/counted-refusals.sqlite.test.ts'],
    'src/resources/webhooks/event-visibility.ts': [],
    'src/resources/webhooks/refuse-webhook.ts': [],
  },
  strangers: {
    'src/http/pages/page-checks.ts': ['src/http/pages/page-checks.test.ts', 'test/counted-refusals.sqlite.test.ts'],
    'src/http/observe/line-allowance.ts': [],
  },
  orders: {
    'src/resources/orders/order.ts': ['src/resources/orders/list-orders.test.ts'],
    'src/resources/orders/place-order.ts': [],
    'src/resources/orders/move-order.ts': [],
    'src/resources/orders/orders.repository.ts': [
      'src/resources/orders/expire-orders.test.ts',
      'src/resources/orders/list-orders.test.ts',
      'src/resources/orders/move-order.test.ts',
      'src/resources/orders/place-order.test.ts',
    ],
    'src/resources/orders/expire-orders.ts': [
      'src/resources/orders/expire-orders.race.test.ts',
      'src/resources/orders/expire-orders.test.ts',
    ],
    'src/resources/pets/pet.ts': ['src/resources/pets/pet.name.test.ts'],
    'src/resources/pets/delete-pet.ts': [
      'src/resources/pets/delete-pet.test.ts',
      'src/resources/pets/update-pet.if-match.test.ts',
    ],
    'src/kernel/operation.ts': [],
    'src/resources/orders/orders.repository.sql.ts': [APART, 'src/resources/orders/orders.repository.test.ts', LOCKS],
  },
  'rows in a store': {
    'src/resources/pets/pets.repository.sql.ts': [
      'src/resources/pets/pets.repository.async.test.ts',
      APART,
      'src/resources/pets/pets.repository.test.ts',
      LOCKS,
    ],
    'src/resources/categories/categories.repository.sql.ts': [
      APART,
      'src/resources/categories/categories.repository.test.ts',
      'src/resources/categories/categories.repository.postgres.test.ts',
      LOCKS,
    ],
    'src/resources/events/events.repository.sql.ts': [
      'src/resources/events/events.repository.async.test.ts',
      APART,
      'src/resources/events/events.repository.test.ts',
      'src/resources/events/outbox.test.ts',
      'src/streaming/sequencer.test.ts',
      'src/delivery/retire-deliveries.test.ts',
    ],
    'src/resources/events/operations.ts': [
      'src/resources/events/get-event.test.ts',
      'src/resources/events/list-audit.test.ts',
      'src/resources/events/list-events.test.ts',
      'src/resources/events/list-pet-history.test.ts',
    ],
    'src/resources/stores/stores.repository.sql.ts': [APART, 'src/resources/stores/stores.repository.test.ts', LOCKS],
  },
  paging: {
    'src/kernel/page.ts': ['src/resources/pets/list-pets.test.ts'],
    'src/storage/page.sql.ts': [
      APART,
      'src/resources/categories/categories.repository.test.ts',
      'src/resources/orders/orders.repository.test.ts',
      'src/resources/pets/pets.repository.test.ts',
    ],
  },
  cursors: {
    'src/http/input/cursor.ts': ['src/http/input/cursor.links.test.ts', 'src/http/input/cursor.test.ts'],
  },
  signatures: {
    'src/delivery/signature.ts': [],
    'src/resources/webhooks/rotate-webhook-secret.ts': ['test/webhook-delivery.test.ts', 'test/webhooks.test.ts'],
    // Only the test file next to `address.ts` may run. If a mutant broke the address check, tests that send requests
    // could reach public addresses.
    'src/delivery/address.ts': [],
    'src/delivery/send.ts': ['test/ssrf.test.ts', 'src/delivery/send.test.ts', 'test/webhook-dns.test.ts'],
  },
  idempotency: {
    'src/idempotency/run-once.ts': ['src/idempotency/run-once.in-flight.test.ts', 'src/idempotency/run-once.test.ts'],
    'src/idempotency/idempotency.repository.sql.ts': [
      APART,
      'src/idempotency/idempotency.repository.sql.test.ts',
      'src/idempotency/idempotency.repository.test.ts',
      'src/idempotency/run-once.test.ts',
    ],
    'src/http/input/idempotency-key.ts': [],
    'src/compose/run-operation.ts': [],
  },
  'deletion by age': {
    'src/kernel/runtime.ts': ['src/kernel/runtime.clock.test.ts', 'src/resources/webhooks/webhooks.repository.test.ts'],
    'src/storage/deletions.ts': [],
  },
  'group commit': {
    'src/storage/sqlite/group-commit.ts': [
      'src/storage/sqlite/group-commit.closed-loop.test.ts',
      'src/storage/sqlite/group-commit.queue.test.ts',
      'src/storage/sqlite/group-commit.sync.test.ts',
      'src/storage/sqlite/group-commit.waiting.test.ts',
      'src/storage/sqlite/group-commit.long.test.ts',
      'src/storage/sqlite/group-commit.test.ts',
      'src/storage/sqlite/group-commit.held-up.test.ts',
      'src/storage/sqlite/group-commit.failures.test.ts',
      'src/storage/sqlite/sync.test.ts',
    ],
    'src/storage/sqlite/group-transaction.ts': [
      'src/storage/sqlite/group-transaction.test.ts',
      'src/storage/sqlite/group-transaction.sql.test.ts',
      'src/storage/sqlite/group-commit.test.ts',
      'src/storage/sqlite/group-commit.long.test.ts',
      'src/storage/sqlite/counters.test.ts',
      'src/storage/sqlite/sync.test.ts',
    ],
    'src/storage/sqlite/sync.ts': ['src/storage/sqlite/sync.close.test.ts', 'src/storage/sqlite/sync.test.ts'],
    'src/storage/sqlite/counters.ts': ['src/storage/sqlite/counters.test.ts'],
    'src/storage/sqlite/snapshot.ts': ['src/storage/sqlite/snapshot.test.ts', 'src/storage/sqlite/sync.test.ts'],
  },
  'webhook states': {
    'src/resources/webhooks/delivery.ts': [],
    'src/delivery/attempt-delivery.ts': [
      'src/delivery/attempt-delivery.test.ts',
      'src/resources/webhooks/webhook-states.test.ts',
    ],
    'src/resources/webhooks/disable-orphaned-webhooks.ts': ['src/resources/webhooks/webhook-states.test.ts'],
    'src/delivery/due.sql.ts': [APART, 'src/resources/webhooks/webhooks.repository.test.ts', LOCKS],
    'src/storage/add-deliveries.sql.ts': [APART, 'src/resources/webhooks/webhooks.repository.test.ts'],
    'src/delivery/fan-out-events.ts': ['src/delivery/fan-out-events.test.ts'],
    'src/resources/webhooks/webhooks.repository.sql.ts': [
      APART,
      'src/resources/webhooks/webhooks.repository.test.ts',
      LOCKS,
      'src/streaming/sequencer.test.ts',
    ],
    'src/resources/webhooks/deliveries.repository.sql.ts': [
      APART,
      'src/resources/webhooks/webhooks.repository.test.ts',
      'src/delivery/retire-deliveries.test.ts',
      'src/streaming/sequencer.test.ts',
    ],
    'src/delivery/fan-out.repository.sql.ts': [APART, 'src/resources/webhooks/webhooks.repository.test.ts', LOCKS],
    'src/delivery/queue.repository.sql.ts': [
      APART,
      'src/resources/webhooks/webhooks.repository.test.ts',
      'test/counters-in-transactions.test.ts',
      'test/webhook-scopes.test.ts',
    ],
    'src/cluster/cluster.repository.sql.ts': ['src/cluster/leadership.test.ts', 'test/change-propagation.test.ts'],
  },
  'the command line': {
    'cli/args/value.ts': [],
    'cli/args/read-arguments.ts': [],
  },
  'the client': {
    'client/src/retry.ts': ['client/test/retries.test.ts'],
    'client/src/json.ts': [],
  },
  'the console': {
    'console/pets/bulk/tasks.ts': [],
    'console/events/filter.ts': [],
    'console/orders/moves.ts': [],
    'console/keys/key-state.ts': [],
  },
};
