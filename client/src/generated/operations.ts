// Generated from the contracts by `npm run generate`. Do not edit.

import type { Answer } from '../answer.ts';
import type { List } from '../list.ts';
import type { GuardedOptions, RequestOptions } from '../options.ts';
import type { Method } from '../request.ts';
import type { StreamOptions } from '../stream.ts';
import type {
  AuditEntry,
  Category,
  CategoryChange,
  CategoryCreation,
  Delivery,
  Deprecation,
  Event,
  EventType,
  HistoryEntry,
  Int64,
  Inventory,
  Key,
  KeyChange,
  KeyCreation,
  KeyRotation,
  KeyWithSecret,
  ListAuditQuery,
  ListCategoriesQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListKeysQuery,
  ListOrdersQuery,
  ListPetHistoryQuery,
  ListPetsQuery,
  ListWebhooksQuery,
  NewPet,
  NewPetBatch,
  Order,
  OrderCreation,
  Pet,
  PetChange,
  Usage,
  Webhook,
  WebhookChange,
  WebhookCreation,
  WebhookWithSecret,
} from './schemas.ts';

export interface PetsOperations<Int = number> {
  /**
   * List all animals. Returns a paginated list of animals. Filters combine. The next page is in the `Link` header under `rel="next"`; the last page has none. With exactly one id in `ids` the answer carries the `ETag` of that animal.
   *
   * `GET /pets` · needs `pets:read`
   */
  list(query?: ListPetsQuery, options?: RequestOptions): List<Pet<Int>>;

  /**
   * Add an animal. Adds a new animal. `status` is `available` unless it is given. A category that nobody has described yet is recorded without a name. Writes `pet.created`.
   *
   * `POST /pets` · needs `pets:write`
   */
  create(body: NewPet, options?: RequestOptions): Answer<Pet<Int>>;

  /**
   * Add many animals. Adds up to 1,000 animals, all of them or none, and returns them in the order given. A 400 names every row that is wrong. The body can have up to 1 MiB, and each animal up to 64 KiB. It costs one request per 100 animals, rounded up. The service charges before it checks the animals, and keeps the charge if one is wrong. An invalid batch costs at least one request per tenth of a MiB. Each key can have 8 batches in progress; more get 503. Writes `pet.created` for each animal.
   *
   * `POST /pets/batch` · needs `pets:write` · beta
   */
  createBatch(body: NewPetBatch, options?: RequestOptions): Answer<Pet<Int>[]>;

  /**
   * Get an animal. Returns one animal by identifier, with its version in `ETag`. To be removed on 5 December 2030: use `GET /pets?ids=` instead.
   *
   * `GET /pets/{petId}` · needs `pets:read`
   *
   * @deprecated Removed on 2030-12-05.
   */
  get(petId: Int64, options?: RequestOptions): Answer<Pet<Int>>;

  /**
   * Update an animal. Changes name, category or status; what is left out stays. From `available` an animal can become `pending` or `sold`, from `pending` `available` or `sold`; `sold` is final. An animal held by an order changes status through that order only. `If-Match` guards the change. Writes `pet.updated` if name or category change, then `pet.status_changed` if the status does; what changes nothing writes nothing.
   *
   * `PATCH /pets/{petId}` · needs `pets:write` · beta
   */
  update(petId: Int64, body: PetChange, options?: GuardedOptions): Answer<Pet<Int>>;

  /**
   * Delete an animal. Removes an animal, unless an order holds it. Past orders, events and history keep its id, which is never used again. `If-Match` guards the removal. Writes `pet.deleted`.
   *
   * `DELETE /pets/{petId}` · needs `pets:write` · beta
   */
  delete(petId: Int64, options?: GuardedOptions): Answer<void>;

  /**
   * List the history of an animal. Returns every change of an animal, also of one that is gone: when, what, and the order or key behind it.
   *
   * `GET /pets/{petId}/history` · needs `pets:read` · beta
   */
  history(petId: Int64, query?: ListPetHistoryQuery, options?: RequestOptions): List<HistoryEntry<Int>>;
}

export interface OrdersOperations<Int = number> {
  /**
   * List orders. Returns a paginated list of orders. Filters combine.
   *
   * `GET /store/orders` · needs `orders:read` · beta
   */
  list(query?: ListOrdersQuery, options?: RequestOptions): List<Order<Int>>;

  /**
   * Place an order. Orders an animal that is `available` and holds it: it becomes `pending` until the order is delivered, cancelled or, if nobody approves it in time, expired. Of any number of orders for one animal exactly one succeeds. Writes `order.placed` and `pet.status_changed`.
   *
   * `POST /store/orders` · needs `orders:write` · beta
   */
  place(body: OrderCreation, options?: RequestOptions): Answer<Order<Int>>;

  /**
   * Get an order. Returns one order, whatever its status.
   *
   * `GET /store/orders/{orderId}` · needs `orders:read` · beta
   */
  get(orderId: Int64, options?: RequestOptions): Answer<Order<Int>>;

  /**
   * Approve an order. Approves an order that is `placed`, unless its hold has ended. It no longer expires. Writes `order.approved`.
   *
   * `POST /store/orders/{orderId}/approve` · needs `orders:write` · beta
   */
  approve(orderId: Int64, options?: RequestOptions): Answer<Order<Int>>;

  /**
   * Deliver an order. Completes an order that is `approved`: its animal is `sold`. Writes `order.delivered` and `pet.status_changed`.
   *
   * `POST /store/orders/{orderId}/deliver` · needs `orders:write` · beta
   */
  deliver(orderId: Int64, options?: RequestOptions): Answer<Order<Int>>;

  /**
   * Cancel an order. Ends an order that is `placed` or `approved`: its animal is `available` again. Writes `order.cancelled` and `pet.status_changed`.
   *
   * `POST /store/orders/{orderId}/cancel` · needs `orders:write` · beta
   */
  cancel(orderId: Int64, options?: RequestOptions): Answer<Order<Int>>;
}

export interface StoreOperations<Int = number> {
  /**
   * Get the inventory. Returns how many animals of the store have each status.
   *
   * `GET /store/inventory` · needs `orders:read` · beta
   */
  inventory(options?: RequestOptions): Answer<Inventory<Int>>;
}

export interface CategoriesOperations<Int = number> {
  /**
   * List categories. Returns the categories of the store, those that an animal has and nobody has named among them.
   *
   * `GET /categories` · needs `pets:read` · beta
   */
  list(query?: ListCategoriesQuery, options?: RequestOptions): List<Category<Int>>;

  /**
   * Create a category. Adds a category under the lowest free identifier from 1,000 up. Writes `category.created`.
   *
   * `POST /categories` · needs `categories:write` · beta
   */
  create(body: CategoryCreation, options?: RequestOptions): Answer<Category<Int>>;

  /**
   * Get a category. Returns one category. Every `categoryId` that an animal of the store ever had is one.
   *
   * `GET /categories/{categoryId}` · needs `pets:read` · beta
   */
  get(categoryId: Int64, options?: RequestOptions): Answer<Category<Int>>;

  /**
   * Rename a category. Names a category, or gives it another name. Writes `category.updated`, unless it has that name already.
   *
   * `PATCH /categories/{categoryId}` · needs `categories:write` · beta
   */
  update(categoryId: Int64, body: CategoryChange, options?: RequestOptions): Answer<Category<Int>>;
}

export interface EventsOperations<Int = number> {
  /**
   * List events. Returns what has happened in the store, in its order, by pages. Changes of keys and webhooks are seen with `keys:write` only.
   *
   * `GET /events` · needs `events:read` · beta
   */
  list(query?: ListEventsQuery, options?: RequestOptions): List<Event<Int>>;

  /**
   * Stream events. Sends every event of the store as it happens (server-sent events): `id` is its sequence, `event` its type, `data` the event. A comment comes at once and then every 15 seconds. `Last-Event-ID`, a sequence or the id of an event, goes on behind that event, without a gap; without it the stream starts with the next event. A stream ends after an hour with a `retry:` line, when the key is changed, revoked or banned, or expires, and when nothing is taken for 30 seconds; come back with `Last-Event-ID`. It costs one request, and one more for every 1,000 past events it sends: when the requests are used up it ends with a `retry:` line. Open streams per key: free 2, pro 10, business 50, enterprise 500. Browsers’ `EventSource` cannot send a key: use `fetch`, as the package `petstore-client` does.
   *
   * `GET /events/stream` · needs `events:read` · beta
   */
  stream<Type extends EventType = EventType>(options?: StreamOptions<Type>): AsyncGenerator<Event<Int> & { type: Type }, void>;
}

export interface WebhooksOperations {
  /**
   * List webhooks. Returns the webhooks of the store, in the order in which they were added; those of the operator with `keys:write` alone.
   *
   * `GET /webhooks` · needs `webhooks:write` · beta
   */
  list(query?: ListWebhooksQuery, options?: RequestOptions): List<Webhook>;

  /**
   * Create a webhook. Tells an endpoint of what happens in the store from now on, by Standard Webhooks 1.0.0. The answer shows the secret with which deliveries are signed, this once. It is told what the key that makes it may read, for as long as it may: `pet.*` and `category.*` take `pets:read`, `order.*` takes `orders:read`, `key.*` and `webhook.*` take `keys:write`. One made with `keys:write` is not there for other keys of the store. How many a store can have depends on the plan of the key: free 5, pro 20, business and enterprise 100; webhooks of the operator count separately. Beyond that: 403 `store_full`. Writes `webhook.created`.
   *
   * `POST /webhooks` · needs `webhooks:write` · beta
   */
  create(body: WebhookCreation, options?: RequestOptions): Answer<WebhookWithSecret>;

  /**
   * Get a webhook. Returns one webhook, without its secret.
   *
   * `GET /webhooks/{webhookId}` · needs `webhooks:write` · beta
   */
  get(webhookId: string, options?: RequestOptions): Answer<Webhook>;

  /**
   * Update a webhook. Changes where a webhook leads, what it is told, or whether it is switched on; what is left out stays. One that is switched on again is told of what happens from then on. What it is told must be something that its key and the caller may read; to lead it elsewhere takes all that its key may read. An operator gives it another key with `keyId`, which takes `keys:write`. Writes `webhook.updated`, unless nothing changes.
   *
   * `PATCH /webhooks/{webhookId}` · needs `webhooks:write` · beta
   */
  update(webhookId: string, body: WebhookChange, options?: RequestOptions): Answer<Webhook>;

  /**
   * Delete a webhook. Removes a webhook with the log of its deliveries. What was not delivered yet is not sent any more. Writes `webhook.deleted`.
   *
   * `DELETE /webhooks/{webhookId}` · needs `webhooks:write` · beta
   */
  delete(webhookId: string, options?: RequestOptions): Answer<void>;

  /**
   * Send a test event. Sends an event `webhook.test` to this webhook alone, whatever it asks for; it has to be switched on. The delivery tells what came of it. Writes `webhook.test`.
   *
   * `POST /webhooks/{webhookId}/test` · needs `webhooks:write` · beta
   */
  test(webhookId: string, options?: RequestOptions): Answer<Delivery>;

  /**
   * Rotate the secret of a webhook. Makes a new secret and shows it, this once. For 24 hours deliveries are signed with the one before as well. Writes `webhook.updated`.
   *
   * `POST /webhooks/{webhookId}/rotate-secret` · needs `webhooks:write` · beta
   */
  rotateSecret(webhookId: string, options?: RequestOptions): Answer<WebhookWithSecret>;

  /**
   * List deliveries of a webhook. Returns what was sent to a webhook and what is still to be sent, by time: the latest attempt of each event.
   *
   * `GET /webhooks/{webhookId}/deliveries` · needs `webhooks:write` · beta
   */
  deliveries(webhookId: string, query?: ListDeliveriesQuery, options?: RequestOptions): List<Delivery>;

  /**
   * Redeliver an event. Sends an event to the webhook once more, with the same id, from the first attempt on. It has to be switched on.
   *
   * `POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver` · needs `webhooks:write` · beta
   */
  redeliver(webhookId: string, deliveryId: string, options?: RequestOptions): Answer<Delivery>;
}

export interface KeysOperations<Int = number> {
  /**
   * List keys. Returns the keys of all stores, in the order in which they were issued. Revoked keys are among them.
   *
   * `GET /keys` · needs `keys:write` · beta
   */
  list(query?: ListKeysQuery, options?: RequestOptions): List<Key<Int>>;

  /**
   * Create a key. Issues an API key. The answer shows the key itself, this once: only its hash is stored. `limits` is required on the plan `enterprise` and refused on every other. Writes `key.created`.
   *
   * `POST /keys` · needs `keys:write` · beta
   */
  create(body: KeyCreation, options?: RequestOptions): Answer<KeyWithSecret<Int>>;

  /**
   * Get your own key. Returns the key that makes the request: who am I, and what may I do? Costs nothing, and answers also when the key is limited or banned.
   *
   * `GET /keys/me` · any key · beta
   */
  me(options?: RequestOptions): Answer<Key<Int>>;

  /**
   * Get a key. Returns one key, a revoked one too. The secret is never shown again.
   *
   * `GET /keys/{keyId}` · needs `keys:write` · beta
   */
  get(keyId: string, options?: RequestOptions): Answer<Key<Int>>;

  /**
   * Update a key. Changes the name, plan, limits, scopes or expiry of a key; what is left out stays. The change holds from the next request on, and what has been used of a window stays used. A revoked key cannot be changed. Writes `key.updated`, unless nothing changes.
   *
   * `PATCH /keys/{keyId}` · needs `keys:write` · beta
   */
  update(keyId: string, body: KeyChange, options?: RequestOptions): Answer<Key<Int>>;

  /**
   * Revoke a key. Ends a key for good: at once on the instance that is asked, within a second on every other. It stays readable. Revoking it again changes nothing. Its webhooks are switched off. Writes `key.revoked`, and `webhook.disabled` for each of them.
   *
   * `DELETE /keys/{keyId}` · needs `keys:write` · beta
   */
  revoke(keyId: string, options?: RequestOptions): Answer<void>;

  /**
   * Rotate a key. Makes a new secret and shows it, this once. Id, store and windows stay. The secret before lives on for `graceSeconds`; any older one ends at once. A revoked key cannot be rotated. Writes `key.rotated`.
   *
   * `POST /keys/{keyId}/rotate` · needs `keys:write` · beta
   */
  rotate(keyId: string, body?: KeyRotation, options?: RequestOptions): Answer<KeyWithSecret<Int>>;

  /**
   * Lift the ban of a key. Ends the ban of a key, as if it had never begun: the refusals that led to it are forgotten, and the next ban lasts 2 minutes again. The windows stay as they are. A key without a ban is returned as it is. Writes `key.unbanned`.
   *
   * `POST /keys/{keyId}/unban` · needs `keys:write` · beta
   */
  unban(keyId: string, options?: RequestOptions): Answer<Key<Int>>;

  /**
   * Get usage and limits of a key. Returns both windows of any key, a ban if there is one, how full its store is, and its requests of the last 30 days by hour and status.
   *
   * `GET /keys/{keyId}/usage` · needs `ops:read` · beta
   */
  usage(keyId: string, options?: RequestOptions): Answer<Usage>;
}

export interface UsageOperations {
  /**
   * Get usage and limits. Returns both windows of the caller, a ban if there is one, how full its store is, and its requests of the last 30 days by hour and status. Costs nothing, and answers also when the key is limited or banned.
   *
   * `GET /usage` · any key · beta
   */
  get(options?: RequestOptions): Answer<Usage>;
}

export interface DeprecationsOperations {
  /**
   * List deprecated operations. Returns every operation that will be removed, and the keys that still call it.
   *
   * `GET /deprecations` · needs `ops:read` · beta
   */
  list(options?: RequestOptions): Answer<Deprecation[]>;
}

export interface AuditOperations<Int = number> {
  /**
   * List the audit trail. Returns every change of a key or a webhook, in all stores, in the order of time: who, what, when, from where. The addresses of webhooks are shown with `keys:write` alone.
   *
   * `GET /audit` · needs `ops:read` · beta
   */
  list(query?: ListAuditQuery, options?: RequestOptions): List<AuditEntry<Int>>;
}

export interface SandboxOperations {
  /**
   * Reset the sandbox. Brings animals, orders and categories of the caller’s store back to how a new sandbox has them. Keys, windows, webhooks and past events stay, and ids go on rising. The answer comes when it is done. Until then changes in the store are refused with 503, and lists show what is left. Writes `pet.deleted` and `pet.created` for the animals. On staging only: in production there is no such path.
   *
   * `POST /sandbox/reset` · needs `pets:write` · beta · staging only
   */
  reset(options?: RequestOptions): Answer<void>;
}

/** All operations. `Int` is the type of 64-bit integers in responses. */
export interface Operations<Int = number> {
  pets: PetsOperations<Int>;
  orders: OrdersOperations<Int>;
  store: StoreOperations<Int>;
  categories: CategoriesOperations<Int>;
  events: EventsOperations<Int>;
  webhooks: WebhooksOperations;
  keys: KeysOperations<Int>;
  usage: UsageOperations;
  deprecations: DeprecationsOperations;
  audit: AuditOperations<Int>;
  sandbox: SandboxOperations;
}

/** Method, path, and what the function takes between the ids of the path and the options. */
export type Operation = readonly [Method, string, ('body' | 'query' | 'list' | 'stream')?];

export const OPERATIONS: Record<keyof Operations, Record<string, Operation>> = {
  pets: {
    list: ['GET', '/pets', 'list'],
    create: ['POST', '/pets', 'body'],
    createBatch: ['POST', '/pets/batch', 'body'],
    get: ['GET', '/pets/{petId}'],
    update: ['PATCH', '/pets/{petId}', 'body'],
    delete: ['DELETE', '/pets/{petId}'],
    history: ['GET', '/pets/{petId}/history', 'list'],
  },
  orders: {
    list: ['GET', '/store/orders', 'list'],
    place: ['POST', '/store/orders', 'body'],
    get: ['GET', '/store/orders/{orderId}'],
    approve: ['POST', '/store/orders/{orderId}/approve'],
    deliver: ['POST', '/store/orders/{orderId}/deliver'],
    cancel: ['POST', '/store/orders/{orderId}/cancel'],
  },
  store: {
    inventory: ['GET', '/store/inventory'],
  },
  categories: {
    list: ['GET', '/categories', 'list'],
    create: ['POST', '/categories', 'body'],
    get: ['GET', '/categories/{categoryId}'],
    update: ['PATCH', '/categories/{categoryId}', 'body'],
  },
  events: {
    list: ['GET', '/events', 'list'],
    stream: ['GET', '/events/stream', 'stream'],
  },
  webhooks: {
    list: ['GET', '/webhooks', 'list'],
    create: ['POST', '/webhooks', 'body'],
    get: ['GET', '/webhooks/{webhookId}'],
    update: ['PATCH', '/webhooks/{webhookId}', 'body'],
    delete: ['DELETE', '/webhooks/{webhookId}'],
    test: ['POST', '/webhooks/{webhookId}/test'],
    rotateSecret: ['POST', '/webhooks/{webhookId}/rotate-secret'],
    deliveries: ['GET', '/webhooks/{webhookId}/deliveries', 'list'],
    redeliver: ['POST', '/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver'],
  },
  keys: {
    list: ['GET', '/keys', 'list'],
    create: ['POST', '/keys', 'body'],
    me: ['GET', '/keys/me'],
    get: ['GET', '/keys/{keyId}'],
    update: ['PATCH', '/keys/{keyId}', 'body'],
    revoke: ['DELETE', '/keys/{keyId}'],
    rotate: ['POST', '/keys/{keyId}/rotate', 'body'],
    unban: ['POST', '/keys/{keyId}/unban'],
    usage: ['GET', '/keys/{keyId}/usage'],
  },
  usage: {
    get: ['GET', '/usage'],
  },
  deprecations: {
    list: ['GET', '/deprecations'],
  },
  audit: {
    list: ['GET', '/audit', 'list'],
  },
  sandbox: {
    reset: ['POST', '/sandbox/reset'],
  },
};
