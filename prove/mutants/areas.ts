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
  },
  keys: {
    'src/keys/authenticate-key.ts': [],
    'src/keys/key.ts': [],
    'src/keys/secret.ts': [],
    'src/keys/ban-key.ts': [],
    'src/keys/unban-key.ts': ['src/keys/ban-key.test.ts', 'src/keys/unban-key.test.ts'],
    'src/keys/revoke-key.ts': [],
    'src/keys/rotate-key.ts': [],
  },
  scopes: {
    'src/http/refusals.ts': [],
    'src/http/checks.ts': [],
    'src/webhooks/telling.ts': [],
    'src/webhooks/key-scopes.sql.ts': ['src/webhooks/webhooks.repository.test.ts', 'test/webhook-scopes.test.ts'],
    'src/webhooks/refuse-webhook.ts': [],
  },
  orders: {
    'src/orders/order.ts': ['src/orders/list-orders.test.ts'],
    'src/orders/place-order.ts': [],
    'src/orders/move-order.ts': ['src/orders/expire-orders.test.ts'],
    'src/orders/expire-orders.ts': ['src/orders/expire-orders.race.test.ts', 'src/orders/expire-orders.test.ts'],
    'src/pets/pet.ts': [],
    'src/pets/delete-pet.ts': ['src/pets/delete-pet.test.ts', 'src/pets/update-pet.if-match.test.ts'],
    'src/kernel/precondition.ts': [],
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
  },
  idempotency: {
    'src/idempotency/run-once.ts': [],
    'src/idempotency/in-flight.ts': [],
    'src/idempotency/forget-answers.ts': [],
    'src/idempotency/idempotency.repository.sql.ts': [
      'src/idempotency/idempotency.repository.test.ts',
      'src/idempotency/forget-answers.test.ts',
    ],
    'src/http/idempotency-key.ts': [],
    'src/compose/run-operation.ts': [],
  },
  'group commit': {
    'src/database/group-commit.ts': [
      'src/database/group-commit.waiting.test.ts',
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
  },
  'states of webhooks': {
    'src/webhooks/delivery.ts': [],
    'src/webhooks/record-attempt.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/switch-off-webhook.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/silence-webhooks.ts': ['src/webhooks/webhook-states.test.ts'],
    'src/webhooks/leases.memory.ts': ['src/webhooks/leases.test.ts'],
  },
};
