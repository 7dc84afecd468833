import { afterEach, beforeEach } from 'bun:test';
import type { EventType } from '../src/kernel/event.ts';
import { type EventLog, SYSTEM_CALL } from '../src/kernel/operation.ts';
import type { EventRepository } from '../src/resources/events/events.repository.ts';
import type { KeyRepository } from '../src/resources/keys/keys.repository.ts';
import type { StoreRepository } from '../src/resources/stores/stores.repository.ts';
import type { AttemptResult } from '../src/resources/webhooks/delivery.ts';
import type { Webhook } from '../src/resources/webhooks/webhook.ts';
import type { DeliveryQueue, WebhookRepository } from '../src/resources/webhooks/webhooks.repository.ts';
import type { Database } from '../src/storage/database.ts';
import { readRows } from './database.ts';
import { insertWebhookKey, WEBHOOK_KEY } from './webhook-key.ts';

type Repositories = {
  webhooks: WebhookRepository;
  events: EventLog & EventRepository;
  deliveryQueue: DeliveryQueue;
  stores: Pick<StoreRepository, 'open'>;
  keys: Pick<KeyRepository, 'insert' | 'find' | 'update'>;
};

export const failure: AttemptResult = {
  isDelivered: false,
  isGone: false,
  responseStatus: 500,
  responseBody: 'sorry',
  durationMs: 12,
  retryAfterMs: undefined,
};

export type WebhookRepositoryHarness = {
  database: Database<Repositories, Repositories>;
  clock: { (): number; advance(ms: number): void };
  path: string;
  close(): Promise<void>;
};

export const SECRET = 'whsec_one';

export const prepareWebhookRows = (open: () => Promise<WebhookRepositoryHarness>) => {
  let harness: WebhookRepositoryHarness;
  beforeEach(async () => {
    harness = await open();
    for (const storeId of [1n, 2n]) await write(({ stores }) => stores.open(storeId));
    await write(insertWebhookKey);
    await write(({ keys }) => keys.insert({ ...WEBHOOK_KEY, id: 'key_all' }, new Uint8Array(32).fill(1)));
  });
  afterEach(() => harness.close());

  const write = <Result>(body: (repositories: Repositories) => Promise<Result>, storeId = 1n) =>
    harness.database.write({ ...SYSTEM_CALL, storeId }, body);
  const reads = (storeId = 1n) => harness.database.read(storeId).webhooks;
  const queue = () => harness.database.read(1n).deliveryQueue;

  const webhook = (fields: Partial<Webhook> = {}): Webhook => ({
    id: 'wh_one',
    url: 'https://example.org/ü?a=b',
    events: ['pet.created', 'pet.deleted'],
    enabled: true,
    disabledReason: null,
    createdAt: harness.clock(),
    keyId: WEBHOOK_KEY.id,
    isOperators: false,
    ...fields,
  });
  const insert = (one: Webhook, storeId = 1n) => write(({ webhooks }) => webhooks.insert(one, SECRET), storeId);
  /** On PostgreSQL, `range` assigns sequence numbers and adds deliveries, as each instance does after a commit. */
  const number = (storeId = 1n) => harness.database.read(storeId).events.range();
  const append = async (type: EventType, petId = 7n, storeId = 1n) => {
    await write(async ({ events }) => events.append({ type, object: {}, petId }), storeId);
    await number(storeId);
  };
  const fanOut = async (most = 1000) => {
    await number();
    while (await write(({ webhooks }) => webhooks.fanOut(most)));
  };
  const log = (id = 'wh_one') => reads().listDeliveries(id, { limit: 100, order: 'asc', after: undefined });
  const due = async (most = 100) => {
    const [endpoint] = await queue().endpoints(harness.clock());
    return endpoint ? queue().deliveries(endpoint, harness.clock(), most) : [];
  };

  const rows = (query: string) => readRows(harness.path, query);
  const clock = () => harness.clock();
  const advance = (ms: number) => harness.clock.advance(ms);
  return { write, reads, queue, webhook, insert, number, append, fanOut, log, due, rows, clock, advance };
};
