// Generated from the contracts by `npm run generate`. Do not edit.

import type { Answer } from '../answer.ts';
import type { List } from '../list.ts';
import type { GuardedOptions, RequestOptions } from '../options.ts';
import type { Method } from '../request.ts';
import type { StreamOptions } from '../stream.ts';
import type {
  AuditEntry,
  Backup,
  Category,
  CategoryChange,
  CategoryCreation,
  CategoryMerge,
  CategoryMergeProgress,
  CountEventsQuery,
  Delivery,
  Deprecation,
  Event,
  EventCounts,
  EventType,
  GetHealthSeriesQuery,
  HealthSeries,
  HistoryEntry,
  Int64,
  Inventory,
  Key,
  KeyChange,
  KeyCreation,
  KeyName,
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
  RecentRequests,
  Service,
  Usage,
  Webhook,
  WebhookChange,
  WebhookCreation,
  WebhookWithSecret,
} from './schemas.ts';

export interface PetsOperations {
  /**
   * List all animals. Returns a paginated list of animals. Filters can be combined. The `Link` header with `rel="next"` points to the next page; the last page has no such link. With exactly one id in `ids`, the response carries the `ETag` of that animal.
   *
   * `GET /pets` · needs `pets:read`
   */
  list(query?: ListPetsQuery, options?: RequestOptions): List<Pet>;

  /**
   * Add an animal. Adds a new animal. `status` defaults to `available`. A new `categoryId` creates a category without a name. Writes a `pet.created` event.
   *
   * `POST /pets` · needs `pets:write`
   */
  create(body: NewPet, options?: RequestOptions): Answer<Pet>;

  /**
   * Add many pets. Adds up to 1,000 pets, all or none. Returns them in the order given. If any pet is invalid, the request fails with 400, and the message names each invalid pet. The body can be up to 1 MiB, and each pet up to 64 KiB. A batch costs one request per 100 pets, rounded up. The requests are counted before the pets are checked, so they count even if the batch is invalid. An invalid batch costs at least one request per 0.1 MiB of its body. Each key can have 8 batches in progress; further batches get 503. Writes a `pet.created` event for each pet.
   *
   * `POST /pets/batch` · needs `pets:write` · beta
   */
  createBatch(body: NewPetBatch, options?: RequestOptions): Answer<Pet[]>;

  /**
   * Get an animal. Returns one animal by identifier, with its version in `ETag`. This operation will be removed on 5 December 2030. Use `GET /pets?ids=` instead.
   *
   * `GET /pets/{petId}` · needs `pets:read`
   *
   * @deprecated Will be removed on 2030-12-05.
   */
  get(petId: Int64, options?: RequestOptions): Answer<Pet>;

  /**
   * Update a pet. Changes a pet's name, category or status. Omitted fields stay as they are. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; `sold` is final. If an order holds the pet, the pet's status cannot be changed directly. With `If-Match`, the pet is changed only if it still has the given version. Writes a `pet.updated` event if the name or category changes, then a `pet.status_changed` event if the status changes. A request that changes nothing writes no event.
   *
   * `PATCH /pets/{petId}` · needs `pets:write` · beta
   */
  update(petId: Int64, body: PetChange, options?: GuardedOptions): Answer<Pet>;

  /**
   * Delete a pet. Deletes a pet, unless an order holds it. Past orders, events and history keep its id, which is never reused. With `If-Match`, the pet is deleted only if it still has the given version. Writes a `pet.deleted` event.
   *
   * `DELETE /pets/{petId}` · needs `pets:write` · beta
   */
  delete(petId: Int64, options?: GuardedOptions): Answer<void>;

  /**
   * List a pet's history. Returns every change to a pet, with its time and the order or key that caused it. Also works for deleted pets.
   *
   * `GET /pets/{petId}/history` · needs `pets:read` · beta
   */
  history(petId: Int64, query?: ListPetHistoryQuery, options?: RequestOptions): List<HistoryEntry>;
}

export interface OrdersOperations {
  /**
   * List orders. Returns a paginated list of orders. Filters can be combined, except `petId` with times. With `placedFrom` or `placedTo`, orders are sorted by `placedAt` instead of by id.
   *
   * `GET /store/orders` · needs `orders:read` · beta
   */
  list(query?: ListOrdersQuery, options?: RequestOptions): List<Order>;

  /**
   * Place an order. Orders an `available` pet and holds it: the pet is `pending` until the order is delivered, is cancelled, or expires because nobody approved it in time. If several orders for the same pet arrive together, exactly one succeeds. Writes `order.placed` and `pet.status_changed` events.
   *
   * `POST /store/orders` · needs `orders:write` · beta
   */
  place(body: OrderCreation, options?: RequestOptions): Answer<Order>;

  /**
   * Get an order. Returns one order, in any status.
   *
   * `GET /store/orders/{orderId}` · needs `orders:read` · beta
   */
  get(orderId: Int64, options?: RequestOptions): Answer<Order>;

  /**
   * Approve an order. Approves a `placed` order, unless its hold has expired. An approved order does not expire. Writes an `order.approved` event.
   *
   * `POST /store/orders/{orderId}/approve` · needs `orders:write` · beta
   */
  approve(orderId: Int64, options?: RequestOptions): Answer<Order>;

  /**
   * Deliver an order. Completes an `approved` order. Its pet becomes `sold`. Writes `order.delivered` and `pet.status_changed` events.
   *
   * `POST /store/orders/{orderId}/deliver` · needs `orders:write` · beta
   */
  deliver(orderId: Int64, options?: RequestOptions): Answer<Order>;

  /**
   * Cancel an order. Cancels a `placed` or `approved` order. Its pet becomes `available` again. Writes `order.cancelled` and `pet.status_changed` events.
   *
   * `POST /store/orders/{orderId}/cancel` · needs `orders:write` · beta
   */
  cancel(orderId: Int64, options?: RequestOptions): Answer<Order>;
}

export interface StoreOperations {
  /**
   * Get the inventory. Returns the number of pets in the store by status.
   *
   * `GET /store/inventory` · needs `orders:read` · beta
   */
  inventory(options?: RequestOptions): Answer<Inventory>;
}

export interface CategoriesOperations {
  /**
   * Merge a category into another. Moves the pets of a category to another category, up to 100 pets per request. If `hasMore` is true, send the request again, with a new `Idempotency-Key`. The last request deletes the category. Writes a `pet.updated` event for each pet, then `category.deleted`, which names the other category in `mergedInto`.
   *
   * `POST /categories/{categoryId}/merge` · needs `categories:write` · beta
   */
  merge(categoryId: Int64, body: CategoryMerge, options?: RequestOptions): Answer<CategoryMergeProgress>;

  /**
   * List categories. Returns the store's categories, including categories without a name.
   *
   * `GET /categories` · needs `pets:read` · beta
   */
  list(query?: ListCategoriesQuery, options?: RequestOptions): List<Category>;

  /**
   * Create a category. Creates a category with the lowest unused identifier from 1,000 upwards. Writes a `category.created` event.
   *
   * `POST /categories` · needs `categories:write` · beta
   */
  create(body: CategoryCreation, options?: RequestOptions): Answer<Category>;

  /**
   * Get a category. Returns one category. A category exists for every `categoryId` that a pet has.
   *
   * `GET /categories/{categoryId}` · needs `pets:read` · beta
   */
  get(categoryId: Int64, options?: RequestOptions): Answer<Category>;

  /**
   * Rename a category. Sets the name of a category. Writes a `category.updated` event, unless the category already has that name.
   *
   * `PATCH /categories/{categoryId}` · needs `categories:write` · beta
   */
  update(categoryId: Int64, body: CategoryChange, options?: RequestOptions): Answer<Category>;

  /**
   * Delete a category. Deletes a category that has no pets. The service does not assign its identifier to a new category, but adding a pet with that `categoryId` creates the category again. Writes a `category.deleted` event.
   *
   * `DELETE /categories/{categoryId}` · needs `categories:write` · beta
   */
  delete(categoryId: Int64, options?: RequestOptions): Answer<void>;
}

export interface EventsOperations {
  /**
   * List events. Returns the store's events, ordered by sequence number. Filters can be combined, except `petId` with `keyId`. Events about keys and webhooks are visible only with `keys:write`.
   *
   * `GET /events` · needs `events:read` · beta
   */
  list(query?: ListEventsQuery, options?: RequestOptions): List<Event>;

  /**
   * Count events. Returns the number of events by type and hour or day (UTC). Counts only events that are still stored and that the key may read: order events require `orders:read`, and key and webhook events require `keys:write`. The response has at most 1,000 periods.
   *
   * `GET /events/counts` · needs `pets:read` · beta
   */
  count(query?: CountEventsQuery, options?: RequestOptions): Answer<EventCounts>;

  /**
   * Stream events. Sends every new event in the store as a server-sent event: `id` is its sequence number, `event` its type and `data` the event. A comment line arrives immediately and then every 15 seconds. `Last-Event-ID` (an event's sequence number or id) resumes after that event, without a gap. Without `Last-Event-ID`, the stream starts with the next event. A stream ends after an hour, with a `retry:` line. It also ends when the key expires or is changed, revoked or banned, or when the client reads nothing for 30 seconds. Reconnect with `Last-Event-ID`. A stream costs one request, plus one for every 1,000 past events it sends. If these requests use up the rate limit, the stream ends with a `retry:` line. Open streams per key: free 2, pro 10, business 50, enterprise 500. The browser's `EventSource` cannot send a key, so use `fetch`, as the `petstore-client` package does.
   *
   * `GET /events/stream` · needs `events:read` · beta
   */
  stream<Type extends EventType = EventType>(options?: StreamOptions<Type>): AsyncGenerator<Event & { type: Type }, void>;

  /**
   * Get an event. Returns one event by its sequence number. Events about keys and webhooks are visible only with `keys:write`.
   *
   * `GET /events/{sequence}` · needs `events:read` · beta
   */
  get(sequence: Int64, options?: RequestOptions): Answer<Event>;
}

export interface WebhooksOperations {
  /**
   * List webhooks. Returns the store's webhooks in order of creation. The operator's webhooks are visible only with `keys:write`.
   *
   * `GET /webhooks` · needs `webhooks:write` · beta
   */
  list(query?: ListWebhooksQuery, options?: RequestOptions): List<Webhook>;

  /**
   * Create a webhook. Creates a webhook that sends the store's new events to an endpoint. Deliveries are signed according to Standard Webhooks 1.0.0. Only this response shows the signing secret. The webhook receives only events that its key may read at the time of sending: `pet.*` and `category.*` require `pets:read`, `order.*` requires `orders:read`, and `key.*` and `webhook.*` require `keys:write`. A webhook created by a key with `keys:write` belongs to the operator and is hidden from the store's other keys. The key's plan limits how many webhooks a store can have: free 5, pro 20, business and enterprise 100. Creating more than that fails with 403 `store_full`. The operator's webhooks are counted separately. Writes a `webhook.created` event.
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
   * Update a webhook. Changes a webhook's URL or event types, or enables or disables it. Omitted fields stay as they are. A webhook that is enabled again receives only new events. Both the webhook's key and the caller must be able to read the webhook's event types. To change the URL, the caller must be able to read everything that the webhook's key can read. An operator can assign another key with `keyId`, which requires `keys:write`. Writes a `webhook.updated` event, unless nothing changes.
   *
   * `PATCH /webhooks/{webhookId}` · needs `webhooks:write` · beta
   */
  update(webhookId: string, body: WebhookChange, options?: RequestOptions): Answer<Webhook>;

  /**
   * Delete a webhook. Deletes a webhook and its delivery log. Pending deliveries are not sent. Writes a `webhook.deleted` event.
   *
   * `DELETE /webhooks/{webhookId}` · needs `webhooks:write` · beta
   */
  delete(webhookId: string, options?: RequestOptions): Answer<void>;

  /**
   * Send a test event. Sends a test event to this webhook only, even if it does not subscribe to `webhook.test`. The webhook must be enabled. The delivery shows the result. Writes a `webhook.test` event.
   *
   * `POST /webhooks/{webhookId}/test` · needs `webhooks:write` · beta
   */
  test(webhookId: string, options?: RequestOptions): Answer<Delivery>;

  /**
   * Rotate a webhook's secret. Creates a new secret. Only this response shows it. For 24 hours, deliveries are also signed with the previous secret. Writes a `webhook.updated` event.
   *
   * `POST /webhooks/{webhookId}/rotate-secret` · needs `webhooks:write` · beta
   */
  rotateSecret(webhookId: string, options?: RequestOptions): Answer<WebhookWithSecret>;

  /**
   * List a webhook's deliveries. Returns a webhook's deliveries, sent and pending, ordered by time. Each delivery shows its latest attempt.
   *
   * `GET /webhooks/{webhookId}/deliveries` · needs `webhooks:write` · beta
   */
  deliveries(webhookId: string, query?: ListDeliveriesQuery, options?: RequestOptions): List<Delivery>;

  /**
   * Redeliver an event. Sends an event to the webhook again, with the same event id. The retry schedule starts over. The webhook must be enabled.
   *
   * `POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver` · needs `webhooks:write` · beta
   */
  redeliver(webhookId: string, deliveryId: string, options?: RequestOptions): Answer<Delivery>;
}

export interface KeysOperations {
  /**
   * List keys. Returns the keys for all stores in order of creation, including revoked ones.
   *
   * `GET /keys` · needs `keys:write` · beta
   */
  list(query?: ListKeysQuery, options?: RequestOptions): List<Key>;

  /**
   * Create a key. Creates an API key. Only this response shows the secret, because the service stores only its hash. `limits` is required on the `enterprise` plan and not allowed on other plans. Writes a `key.created` event.
   *
   * `POST /keys` · needs `keys:write` · beta
   */
  create(body: KeyCreation, options?: RequestOptions): Answer<KeyWithSecret>;

  /**
   * Get your own key. Returns the calling key, with its scopes and limits. Does not count against the key's limits, and works even if the key is rate-limited or banned.
   *
   * `GET /keys/me` · any key · beta
   */
  me(options?: RequestOptions): Answer<Key>;

  /**
   * Get a key. Returns one key, even if it is revoked. The response never contains the secret.
   *
   * `GET /keys/{keyId}` · needs `keys:write` · beta
   */
  get(keyId: string, options?: RequestOptions): Answer<Key>;

  /**
   * Get a key's name. Returns the name of a key in the caller's store, even a revoked one. The `actor` of an event contains only the key's id.
   *
   * `GET /keys/{keyId}/name` · needs `events:read` · beta
   */
  name(keyId: string, options?: RequestOptions): Answer<KeyName>;

  /**
   * Update a key. Changes a key's name, plan, limits, scopes or expiry. Omitted fields stay as they are. The change applies from the next request, and the current rate-limit windows keep their counts. A revoked key cannot be changed. Writes a `key.updated` event, unless nothing changes.
   *
   * `PATCH /keys/{keyId}` · needs `keys:write` · beta
   */
  update(keyId: string, body: KeyChange, options?: RequestOptions): Answer<Key>;

  /**
   * Revoke a key. Revokes a key permanently, and disables its webhooks. The change takes effect immediately on the instance that handles the request, and within a second on all others. The key still appears in the list of keys. Revoking it again changes nothing. Writes a `key.revoked` event, and a `webhook.disabled` event for each webhook.
   *
   * `DELETE /keys/{keyId}` · needs `keys:write` · beta
   */
  revoke(keyId: string, options?: RequestOptions): Answer<void>;

  /**
   * Rotate a key. Creates a new secret and shows it only once. The key keeps its id, store and rate-limit windows. The previous secret stays valid for `graceSeconds`; older secrets expire immediately. A revoked key cannot be rotated. Writes a `key.rotated` event.
   *
   * `POST /keys/{keyId}/rotate` · needs `keys:write` · beta
   */
  rotate(keyId: string, body?: KeyRotation, options?: RequestOptions): Answer<KeyWithSecret>;

  /**
   * Lift the ban on a key. Lifts the ban on a key. This also clears its record of refused requests and bans, so the next ban lasts only 2 minutes. The rate-limit windows do not change. A key that is not banned is returned unchanged. Writes a `key.unbanned` event.
   *
   * `POST /keys/{keyId}/unban` · needs `keys:write` · beta
   */
  unban(keyId: string, options?: RequestOptions): Answer<Key>;

  /**
   * Get a key's usage and limits. Returns a key's rate-limit windows and ban, the number of pets in its store, and its requests by hour and status for the last 30 days.
   *
   * `GET /keys/{keyId}/usage` · needs `ops:read` · beta
   */
  usage(keyId: string, options?: RequestOptions): Answer<Usage>;

  /**
   * Get a key's latest requests. Returns a key's requests in the last hour, newest first, up to 200. A restart clears the list. If there are several instances, the list has only requests to the instance that answered. Requests without a valid key are not included.
   *
   * `GET /keys/{keyId}/requests` · needs `keys:write` · beta
   */
  requests(keyId: string, options?: RequestOptions): Answer<RecentRequests>;
}

export interface UsageOperations {
  /**
   * Get usage and limits. Returns the calling key's rate-limit windows and ban, the number of pets in its store, and its requests by hour and status for the last 30 days. Does not count against the key's limits, and works even if the key is rate-limited or banned.
   *
   * `GET /usage` · any key · beta
   */
  get(options?: RequestOptions): Answer<Usage>;

  /**
   * Get your latest requests. Returns the calling key's requests in the last hour, newest first, up to 200. A restart clears the list. If there are several instances, the list has only requests to the instance that answered. Does not count against the key's limits, and works even if the key is rate-limited or banned.
   *
   * `GET /usage/requests` · any key · beta
   */
  requests(options?: RequestOptions): Answer<RecentRequests>;
}

export interface DeprecationsOperations {
  /**
   * List deprecated operations. Returns every operation that will be removed, and the keys that still call it.
   *
   * `GET /deprecations` · needs `ops:read` · beta
   */
  list(options?: RequestOptions): Answer<Deprecation[]>;
}

export interface AuditOperations {
  /**
   * List the audit trail. Returns every change to a key or webhook in any store, by time, with the key and address it came from. Webhook URLs are visible only with `keys:write`.
   *
   * `GET /audit` · needs `ops:read` · beta
   */
  list(query?: ListAuditQuery, options?: RequestOptions): List<AuditEntry>;
}

export interface HealthOperations {
  /**
   * Get health figures for the last hour. Returns the request rate, response times, errors, queues and memory for the last hour. There is one sample for every 10 seconds, kept in memory. If there are several instances, the response describes only the instance that answered.
   *
   * `GET /health/series` · needs `ops:read` · beta
   */
  series(query?: GetHealthSeriesQuery, options?: RequestOptions): Answer<HealthSeries>;

  /**
   * Get version and settings. Returns the version, database engine and settings of the process that answered. Secrets are never shown, and URLs are shown without user names and passwords.
   *
   * `GET /health/service` · needs `ops:read` · beta
   */
  service(options?: RequestOptions): Answer<Service>;
}

export interface BackupsOperations {
  /**
   * List the latest backups. Returns the latest backups, newest first. The list contains up to ten backups that were requested over HTTP since the service started, and the latest one made with `petstore backup`. It is empty on PostgreSQL, which has its own tools for backups.
   *
   * `GET /backups` · needs `ops:read` · beta
   */
  list(options?: RequestOptions): Answer<Backup[]>;

  /**
   * Back up the database. Starts a backup of the database. The response is sent before the backup has finished; `GET /backups` shows when it is done, or why it failed. The backup contains all stores, and is written to the folder `backups` next to the database file. The backup runs in another process, and the service stays available. Only one backup can run at a time. Old backups are not deleted. SQLite only. Writes no event.
   *
   * `POST /backups` · needs `keys:write` · beta
   */
  create(options?: RequestOptions): Answer<Backup>;
}

export interface SandboxOperations {
  /**
   * Reset the sandbox. Replaces the pets, orders and categories in the caller's store with those of a new sandbox. Keys, rate-limit windows, webhooks and past events are kept, and ids continue to increase. The response arrives when the reset is complete. Until then, changes to the store return 503, and lists can be incomplete. Writes `pet.deleted` and `pet.created` events for the pets. Staging only: in production, this path returns 404.
   *
   * `POST /sandbox/reset` · needs `pets:write` · beta · staging only
   */
  reset(options?: RequestOptions): Answer<void>;
}

/** All operations. */
export interface Operations {
  pets: PetsOperations;
  orders: OrdersOperations;
  store: StoreOperations;
  categories: CategoriesOperations;
  events: EventsOperations;
  webhooks: WebhooksOperations;
  keys: KeysOperations;
  usage: UsageOperations;
  deprecations: DeprecationsOperations;
  audit: AuditOperations;
  health: HealthOperations;
  backups: BackupsOperations;
  sandbox: SandboxOperations;
}

/** Method, path, and the arguments that the function takes between the ids in the path and the options. */
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
    merge: ['POST', '/categories/{categoryId}/merge', 'body'],
    list: ['GET', '/categories', 'list'],
    create: ['POST', '/categories', 'body'],
    get: ['GET', '/categories/{categoryId}'],
    update: ['PATCH', '/categories/{categoryId}', 'body'],
    delete: ['DELETE', '/categories/{categoryId}'],
  },
  events: {
    list: ['GET', '/events', 'list'],
    count: ['GET', '/events/counts', 'query'],
    stream: ['GET', '/events/stream', 'stream'],
    get: ['GET', '/events/{sequence}'],
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
    name: ['GET', '/keys/{keyId}/name'],
    update: ['PATCH', '/keys/{keyId}', 'body'],
    revoke: ['DELETE', '/keys/{keyId}'],
    rotate: ['POST', '/keys/{keyId}/rotate', 'body'],
    unban: ['POST', '/keys/{keyId}/unban'],
    usage: ['GET', '/keys/{keyId}/usage'],
    requests: ['GET', '/keys/{keyId}/requests'],
  },
  usage: {
    get: ['GET', '/usage'],
    requests: ['GET', '/usage/requests'],
  },
  deprecations: {
    list: ['GET', '/deprecations'],
  },
  audit: {
    list: ['GET', '/audit', 'list'],
  },
  health: {
    series: ['GET', '/health/series', 'query'],
    service: ['GET', '/health/service'],
  },
  backups: {
    list: ['GET', '/backups'],
    create: ['POST', '/backups'],
  },
  sandbox: {
    reset: ['POST', '/sandbox/reset'],
  },
};
