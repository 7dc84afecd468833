// Generated from the contracts by `npm run generate`. Do not edit.

export const VERSION = '1.0.0';

/** A 64-bit integer: a number up to 2^53, and a bigint beyond. */
export type Int64 = number | bigint;

/** Every error code. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'insufficient_scope'
  | 'store_full'
  | 'not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'pet_not_available'
  | 'pet_reserved'
  | 'category_in_use'
  | 'invalid_status_transition'
  | 'backup_in_progress'
  | 'backup_not_supported'
  | 'idempotency_in_progress'
  | 'admin_key'
  | 'operation_removed'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limit_exceeded'
  | 'daily_quota_exceeded'
  | 'api_key_banned'
  | 'too_many_streams'
  | 'internal_error'
  | 'unavailable';

/** The key that made a change. */
export interface Actor {
  /** The identifier of the key. */
  keyId: string;
}

/** The `data` of the event, which describes the key or webhook. */
export type AuditData = KeyChangeEventData | KeyEventData | WebhookChangeEventData | WebhookEventData;

/** A change to a key or webhook: who made it, when, and from which address. */
export interface AuditEntry {
  /** The id of the event. */
  id: string;
  /** Type of the event. */
  type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.banned' | 'key.unbanned' | 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted' | 'webhook.test';
  /** Time of the change. */
  timestamp: string;
  /** The store that the key or webhook belongs to. */
  storeId: Int64;
  /** The `data` of the event, which describes the key or webhook. */
  data: AuditData;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The network address that the change came from; null if the service itself made the change. */
  address: string | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
}

/** A copy of the whole database, including all stores. */
export interface Backup {
  /** Whether the backup is running, done or failed. */
  state: 'running' | 'done' | 'failed';
  /** When the backup began. The backup contains all changes made before that time. */
  startedAt: string;
  /** When the backup ended; null if it is still running, or if it was made by `petstore backup`. */
  finishedAt: string | null;
  /** Path of the backup on the machine where the service runs; null if the backup has not finished, or was made by `petstore backup`. */
  file: string | null;
  /** Size of the file; null if `file` is null. */
  bytes: number | null;
  /** Why the backup failed, and what to do; null if it did not fail. */
  error: string | null;
}

/** A category of pets. */
export interface Category {
  /** The `categoryId` of its pets. */
  id: Int64;
  /** Name of the category; null until it is set. */
  name: string | null;
  /** Number of pets in the category, only with `count=pets`. 1,000 means that many or more. */
  pets?: number;
}

/** Changes to a category. Omitted fields stay as they are. */
export interface CategoryChange {
  /** Name of the category: 1 to 255 characters, not only white space. */
  name?: string | undefined;
}

/** The object after the change, and the previous values of the changed fields. */
export interface CategoryChangeEventData {
  /** A category of pets. */
  object: Category;
  /** The changed fields, with their previous values. */
  previous: PreviousCategory;
}

/** A category was created. */
export interface CategoryCreatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'category.created';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: CategoryEventData;
}

/** A category to create. */
export interface CategoryCreation {
  /** Name of the category: 1 to 255 characters, not only white space. */
  name: string;
}

/** A category without pets was deleted, or a category was merged into another one. */
export interface CategoryDeletedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'category.deleted';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The category before its deletion, and the category into which it was merged. */
  data: CategoryDeletionEventData;
}

/** The category before its deletion, and the category into which it was merged. */
export interface CategoryDeletionEventData {
  /** A category of pets. */
  object: Category;
  /** The category that received the pets; present only if the category was merged into another one. */
  mergedInto?: Category;
}

/** The object after the change, or before its deletion. */
export interface CategoryEventData {
  /** A category of pets. */
  object: Category;
}

/** Where to move the pets of a category. */
export interface CategoryMerge {
  /** The category that receives the pets. */
  into: Int64;
}

/** Progress of a merge. */
export interface CategoryMergeProgress {
  /** Pets that this request moved. */
  moved: number;
  /** True if the category still has pets. Send the request again, with a new `Idempotency-Key`, to move them. */
  hasMore: boolean;
}

/** A category was renamed. */
export interface CategoryUpdatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'category.updated';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: CategoryChangeEventData;
}

/** Length of the periods in which events are counted. */
export type CountPeriod = 'hour' | 'day';

/** The delivery of one event to one webhook, with its latest attempt. */
export interface Delivery {
  /** The identifier of the delivery. */
  id: string;
  /** The event's id, which is also the `webhook-id` of the request. */
  eventId: string;
  /** The event's sequence number. */
  sequence: number;
  /** Number of attempts so far. */
  attempt: number;
  /** `delivered`: the endpoint accepted the event. `pending`: an attempt is scheduled. `failed`: no further attempts are made. */
  state: 'pending' | 'delivered' | 'failed';
  /** Status code that the endpoint returned; null if it did not respond. */
  responseStatus: number | null;
  /** First 1 KiB of the response, or the reason why there was none. */
  responseBody: string | null;
  /** Duration of the latest attempt in milliseconds; null before the first attempt. */
  durationMs: number | null;
  /** Time of the latest attempt; null before the first one. */
  attemptedAt: string | null;
  /** Time of the next attempt; null if none is scheduled. */
  nextAttemptAt: string | null;
}

/** One key's calls to a deprecated operation. */
export interface DeprecatedCalls {
  /** The calling key. */
  keyId: string;
  /** Number of calls. */
  calls: number;
  /** Time of the last call. */
  lastCalledAt: string;
}

/** A deprecated operation, and the keys that still call it. */
export interface Deprecation {
  /** The deprecated operation. */
  operation: string;
  /** When the operation was deprecated, as in the `Deprecation` header. */
  deprecatedSince: string;
  /** When the operation starts to return 410. */
  sunset: string;
  /** Staging only: the date used instead of today's to decide whether the `Sunset` date has passed; null if not set. */
  rehearsedDate: string | null;
  /** Time of the last call by any key; null if there was none. */
  lastCalledAt: string | null;
  /** Keys that still call the operation, most recent call first. */
  keys: DeprecatedCalls[];
}

/** Why a webhook is disabled: the endpoint responded with 410 (`gone`), every delivery failed for five days (`failing`), its key was revoked or expired (`key_ended`), or a request disabled it (`switched_off`). */
export type DisabledReason = 'gone' | 'failing' | 'key_ended' | 'switched_off';

/** A change in the store. `type` determines the fields of `data`. New types may be added. */
export type Event = PetCreatedEvent | PetUpdatedEvent | PetStatusChangedEvent | PetDeletedEvent | OrderPlacedEvent | OrderApprovedEvent | OrderDeliveredEvent | OrderCancelledEvent | OrderExpiredEvent | CategoryCreatedEvent | CategoryUpdatedEvent | CategoryDeletedEvent | KeyCreatedEvent | KeyUpdatedEvent | KeyRotatedEvent | KeyRevokedEvent | KeyBannedEvent | KeyUnbannedEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookDisabledEvent | WebhookDeletedEvent | WebhookTestEvent;

/** Number of events by type, in total and per hour or day. */
export interface EventCounts {
  /** Length of the periods in which events are counted. */
  by: CountPeriod;
  /** Start of the first period. */
  from: string;
  /** End of the last period. */
  to: string;
  /** Number of events. */
  total: number;
  /** Number of events by type; types without events are omitted. */
  byType: Record<string, number>;
  /** Number of pets that became `sold`, with or without an order. */
  sold: number;
  /** Events by period; periods without events are omitted. */
  periods: EventPeriod[];
}

/** Events in one hour or day. */
export interface EventPeriod {
  /** Start of the period. */
  start: string;
  /** Number of events. */
  total: number;
  /** Number of events by type; types without events are omitted. */
  byType: Record<string, number>;
  /** Number of pets that became `sold`, with or without an order. */
  sold: number;
}

/** Type of an event. */
export type EventType = 'pet.created' | 'pet.updated' | 'pet.status_changed' | 'pet.deleted' | 'order.placed' | 'order.approved' | 'order.delivered' | 'order.cancelled' | 'order.expired' | 'category.created' | 'category.updated' | 'category.deleted' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.banned' | 'key.unbanned' | 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted' | 'webhook.test';

/** Samples from the last hour, taken by the process that answered. */
export interface HealthSeries {
  /** When the process began to take samples. */
  startedAt: string;
  /** Seconds between two samples. */
  everySeconds: number;
  /** Time of each sample, oldest first. */
  times: string[];
  /** One value per sample and series; null if the value is unknown or does not apply. */
  series: HealthValues;
  /** Refused requests per second by error code; codes that did not occur are omitted. */
  errorsPerSecond: Record<string, Array<number | null>>;
}

/** One value per sample and series; null if the value is unknown or does not apply. */
export interface HealthValues {
  /** Requests answered per second. */
  requestsPerSecond: Array<number | null>;
  /** Responses per second with a status of 4xx, except 429. */
  clientErrorsPerSecond: Array<number | null>;
  /** Responses per second with the status 429. */
  rateLimitedPerSecond: Array<number | null>;
  /** Responses per second with a status of 5xx. */
  serverErrorsPerSecond: Array<number | null>;
  /** Requests per second refused because of overload. */
  shedPerSecond: Array<number | null>;
  /** Median response time in ms, excluding 429 responses. */
  durationP50Ms: Array<number | null>;
  /** 99th percentile of the response time in ms, excluding 429 responses. */
  durationP99Ms: Array<number | null>;
  /** Requests per second that the rate limiter admitted. */
  admittedPerSecond: Array<number | null>;
  /** Requests per second that the rate limiter rejected. */
  rejectedPerSecond: Array<number | null>;
  /** Duration of one small database read, in ms. */
  databaseReadMs: Array<number | null>;
  /** Median number of transactions per disk sync; SQLite only. */
  commitP50: Array<number | null>;
  /** Median disk sync time, in ms; SQLite only. */
  syncP50Ms: Array<number | null>;
  /** 99th percentile of the disk sync time, in ms; SQLite only. */
  syncP99Ms: Array<number | null>;
  /** Transactions waiting for their commit. */
  writesWaiting: Array<number | null>;
  /** How long the longest-waiting transaction has waited, in ms. */
  writeWaitMs: Array<number | null>;
  /** Age of the oldest event that readers cannot see yet, in ms; null except on the leader. */
  eventLagMs: Array<number | null>;
  /** How long the oldest pending delivery has been overdue, in ms; null except on the leader. */
  webhookLagMs: Array<number | null>;
  /** Successful webhook attempts per second. */
  deliveredPerSecond: Array<number | null>;
  /** Failed webhook attempts per second. */
  failedPerSecond: Array<number | null>;
  /** Open event streams. */
  eventStreams: Array<number | null>;
  /** 99th percentile of the event loop delay, in ms. */
  eventLoopP99Ms: Array<number | null>;
  /** Processor time used; 1 means one fully used processor. */
  processorShare: Array<number | null>;
  /** Resident memory of the process. */
  memoryBytes: Array<number | null>;
  /** Size of the database file; SQLite only. */
  databaseBytes: Array<number | null>;
  /** Free disk space; SQLite only. */
  diskFreeBytes: Array<number | null>;
}

/** One change to a pet. */
export interface HistoryEntry {
  /** Sequence number of the event. */
  sequence: number;
  /** Time of the change. */
  timestamp: string;
  /** Type of the event. */
  type: 'pet.created' | 'pet.updated' | 'pet.status_changed' | 'pet.deleted';
  /** The changed fields. */
  changes: PetFieldChange[];
  /** The order that caused the change; null if none. */
  orderId: number | null;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
}

/** Number of pets by status. */
export interface Inventory {
  /** Number of pets that are available. */
  available: number;
  /** Number of pets that are pending. */
  pending: number;
  /** Number of pets that are sold. */
  sold: number;
}

/** An API key, without its secret. */
export interface Key {
  /** The identifier of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** Limits on the key's requests and on the pets in its store. */
  limits: Limits;
  /** The key's permissions. */
  scopes: Scope[];
  /** The key's store. */
  storeId: Int64;
  /** First characters of the secret: `ps_live_` in production, `ps_test_` on staging. */
  prefix: string;
  /** Last four characters of the secret, to help you recognise it. */
  last4: string;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null means never. */
  expiresAt: string | null;
  /** When the key was last used, accurate to a few seconds; null means never. */
  lastUsedAt: string | null;
  /** When the key was revoked; null if it is not revoked. */
  revokedAt: string | null;
  /** When the key's ban ends; null if the key is not banned. */
  bannedUntil: string | null;
}

/** A key kept sending requests after 429 responses and is temporarily banned. */
export interface KeyBannedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.banned';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: KeyEventData;
}

/** Changes to a key. Omitted fields stay as they are. */
export interface KeyChange {
  /** What the key is for: 1 to 255 characters. */
  name?: string | undefined;
  /** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan?: Plan | undefined;
  /** Limits on a key's requests and on the number of pets in its store. Only the `enterprise` plan accepts custom limits. It requires `perMinute` and `perDay`; `pets` is optional. */
  limits?: Limits | undefined;
  /** The key's permissions. */
  scopes?: Scope[] | undefined;
  /** The time at which the key expires, in any UTC offset; null if it never expires. */
  expiresAt?: string | null | undefined;
}

/** The object after the change, and the previous values of the changed fields. */
export interface KeyChangeEventData {
  /** An API key, without its secret. */
  object: Key;
  /** The changed fields, with their previous values. */
  previous: PreviousKey;
}

/** A key was created. */
export interface KeyCreatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.created';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: KeyEventData;
}

/** A key to create. */
export interface KeyCreation {
  /** What the key is for: 1 to 255 characters. */
  name: string;
  /** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** Limits on a key's requests and on the number of pets in its store. Only the `enterprise` plan accepts custom limits. It requires `perMinute` and `perDay`; `pets` is optional. */
  limits?: Limits | undefined;
  /** The key's permissions. Default: `pets:read`, `pets:write`, `orders:read`, `orders:write`. */
  scopes?: Scope[] | undefined;
  /** The time at which the key expires, in any UTC offset. If null or omitted, the key never expires. */
  expiresAt?: string | null | undefined;
  /** The key's store. A new number creates a new store. Default: store 1 in production, and a new store for the key on staging. */
  storeId?: Int64 | undefined;
}

/** The object after the change, or before its deletion. */
export interface KeyEventData {
  /** An API key, without its secret. */
  object: Key;
}

/** The name of an API key. */
export interface KeyName {
  /** The identifier of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
}

/** A key was revoked. */
export interface KeyRevokedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.revoked';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: KeyChangeEventData;
}

/** A key was rotated. */
export interface KeyRotatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.rotated';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: KeyChangeEventData;
}

/** Options for rotating a key. */
export interface KeyRotation {
  /** How long the previous secret stays valid, in seconds. Default: 0. */
  graceSeconds?: number | undefined;
}

/** The ban on a key was lifted. */
export interface KeyUnbannedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.unbanned';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: KeyChangeEventData;
}

/** A key was changed. */
export interface KeyUpdatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'key.updated';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: KeyChangeEventData;
}

/** An API key with its secret. */
export interface KeyWithSecret {
  /** The identifier of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** Limits on the key's requests and on the pets in its store. */
  limits: Limits;
  /** The key's permissions. */
  scopes: Scope[];
  /** The key's store. */
  storeId: Int64;
  /** First characters of the secret: `ps_live_` in production, `ps_test_` on staging. */
  prefix: string;
  /** Last four characters of the secret, to help you recognise it. */
  last4: string;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null means never. */
  expiresAt: string | null;
  /** When the key was last used, accurate to a few seconds; null means never. */
  lastUsedAt: string | null;
  /** When the key was revoked; null if it is not revoked. */
  revokedAt: string | null;
  /** When the key's ban ends; null if the key is not banned. */
  bannedUntil: string | null;
  /** The secret. Shown only once; null in a replayed response. */
  key: string | null;
}

/** Limits on a key's requests and on the number of pets in its store. Only the `enterprise` plan accepts custom limits. It requires `perMinute` and `perDay`; `pets` is optional. */
export interface Limits {
  /** Maximum requests in a 60-second window. */
  perMinute: number;
  /** Maximum requests in a 24-hour window. */
  perDay: number;
  /** Maximum number of pets in the store, checked when the key adds one; null means no limit. */
  pets?: number | null;
}

/** A pet to add. */
export interface NewPet {
  /** The animal's name: 1 to 255 characters, not only white space. Stored and returned exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. If the category does not exist, it is created without a name. */
  categoryId: Int64;
  /** Status of the pet; `available` if omitted. */
  status?: PetStatus | undefined;
}

/** Pets to add together. */
export interface NewPetBatch {
  /** The pets to add. Their ids are assigned in this order. */
  pets: NewPet[];
}

/** An order for one pet. */
export interface Order {
  /** Assigned by the service when the order is placed. */
  id: number;
  /** The ordered pet. */
  petId: number;
  /** Status of the order. `placed` can change to `approved`, `cancelled`, or, when the hold ends, `expired`. `approved` can change to `delivered` or `cancelled`. The other statuses are final. */
  status: OrderStatus;
  /** When the order was placed. */
  placedAt: string;
  /** When the status last changed. */
  updatedAt: string;
  /** When the hold on the pet ends; null once the order is no longer `placed`. */
  expiresAt: string | null;
}

/** An order was approved. */
export interface OrderApprovedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'order.approved';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: OrderChangeEventData;
}

/** An order was cancelled, and its pet is available again. */
export interface OrderCancelledEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'order.cancelled';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: OrderChangeEventData;
}

/** The object after the change, and the previous values of the changed fields. */
export interface OrderChangeEventData {
  /** An order for one pet. */
  object: Order;
  /** The changed fields, with their previous values. */
  previous: PreviousOrder;
}

/** An order to place. */
export interface OrderCreation {
  /** The pet to order. It must be `available`. */
  petId: Int64;
}

/** An order was delivered, and its pet is sold. */
export interface OrderDeliveredEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'order.delivered';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: OrderChangeEventData;
}

/** The object after the change, or before its deletion. */
export interface OrderEventData {
  /** An order for one pet. */
  object: Order;
}

/** An order expired because nobody approved it in time, and its pet is available again. */
export interface OrderExpiredEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'order.expired';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: OrderChangeEventData;
}

/** An order was placed, and its pet is pending. */
export interface OrderPlacedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'order.placed';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: OrderEventData;
}

/** Status of the order. `placed` can change to `approved`, `cancelled`, or, when the hold ends, `expired`. `approved` can change to `delivered` or `cancelled`. The other statuses are final. */
export type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';

/** A pet in the store. */
export interface Pet {
  /** Assigned by the service on creation. */
  id: number;
  /** The animal's name: 1 to 255 characters, not only white space. Stored and returned exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. If the category does not exist, it is created without a name. */
  categoryId: Int64;
  /** Status of the pet. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; `sold` is final. */
  status?: PetStatus;
}

/** A change to the pet's categoryId. */
export interface PetCategoryChange {
  /** The field that changed. */
  field: 'categoryId';
  /** Previous value; null if this change added the pet. */
  from: Int64 | null;
  /** New value; null if this change deleted the pet. */
  to: Int64 | null;
}

/** Changes to a pet. Omitted fields stay as they are; null is not allowed. */
export interface PetChange {
  /** The animal's name: 1 to 255 characters, not only white space. Stored and returned exactly as sent. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. If the category does not exist, it is created without a name. */
  categoryId?: Int64 | undefined;
  /** Status of the pet. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; `sold` is final. */
  status?: PetStatus | undefined;
}

/** The object after the change, and the previous values of the changed fields. */
export interface PetChangeEventData {
  /** A pet in the store. */
  object: Pet;
  /** The changed fields, with their previous values. */
  previous: PreviousPet;
}

/** A pet was added. */
export interface PetCreatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'pet.created';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: PetEventData;
}

/** A pet was deleted. */
export interface PetDeletedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'pet.deleted';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: PetEventData;
}

/** The object after the change, or before its deletion. */
export interface PetEventData {
  /** A pet in the store. */
  object: Pet;
}

/** A pet field that changed. */
export type PetFieldChange = PetNameChange | PetCategoryChange | PetStatusChange;

/** A change to the pet's name. */
export interface PetNameChange {
  /** The field that changed. */
  field: 'name';
  /** Previous value; null if this change added the pet. */
  from: string | null;
  /** New value; null if this change deleted the pet. */
  to: string | null;
}

/** Status of the pet. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; `sold` is final. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** A change to the pet's status. */
export interface PetStatusChange {
  /** The field that changed. */
  field: 'status';
  /** Previous value; null if this change added the pet. */
  from: PetStatus | null;
  /** New value; null if this change deleted the pet. */
  to: PetStatus | null;
}

/** A pet's status changed. */
export interface PetStatusChangedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'pet.status_changed';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: PetChangeEventData;
}

/** A pet's name or category changed. */
export interface PetUpdatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'pet.updated';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: PetChangeEventData;
}

/** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

/** The changed fields, with their previous values. */
export interface PreviousCategory {
  /** The `categoryId` of its pets. */
  id?: Int64;
  /** Name of the category; null until it is set. */
  name?: string | null;
  /** Number of pets in the category, only with `count=pets`. 1,000 means that many or more. */
  pets?: number;
}

/** The changed fields, with their previous values. */
export interface PreviousKey {
  /** The identifier of the key; not secret. */
  id?: string;
  /** What the key is for. */
  name?: string;
  /** The key's plan, which sets three limits (requests per minute / requests per day / pets in the store): `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan?: Plan;
  /** Limits on the key's requests and on the pets in its store. */
  limits?: Limits;
  /** The key's permissions. */
  scopes?: Scope[];
  /** The key's store. */
  storeId?: Int64;
  /** First characters of the secret: `ps_live_` in production, `ps_test_` on staging. */
  prefix?: string;
  /** Last four characters of the secret, to help you recognise it. */
  last4?: string;
  /** When the key was created. */
  createdAt?: string;
  /** When the key expires; null means never. */
  expiresAt?: string | null;
  /** When the key was last used, accurate to a few seconds; null means never. */
  lastUsedAt?: string | null;
  /** When the key was revoked; null if it is not revoked. */
  revokedAt?: string | null;
  /** When the key's ban ends; null if the key is not banned. */
  bannedUntil?: string | null;
}

/** The changed fields, with their previous values. */
export interface PreviousOrder {
  /** Assigned by the service when the order is placed. */
  id?: number;
  /** The ordered pet. */
  petId?: number;
  /** Status of the order. `placed` can change to `approved`, `cancelled`, or, when the hold ends, `expired`. `approved` can change to `delivered` or `cancelled`. The other statuses are final. */
  status?: OrderStatus;
  /** When the order was placed. */
  placedAt?: string;
  /** When the status last changed. */
  updatedAt?: string;
  /** When the hold on the pet ends; null once the order is no longer `placed`. */
  expiresAt?: string | null;
}

/** The changed fields, with their previous values. */
export interface PreviousPet {
  /** Assigned by the service on creation. */
  id?: number;
  /** The animal's name: 1 to 255 characters, not only white space. Stored and returned exactly as sent. */
  name?: string;
  /** Identifier of the category the animal belongs to. If the category does not exist, it is created without a name. */
  categoryId?: Int64;
  /** Status of the pet. `available` can change to `pending` or `sold`; `pending` can change to `available` or `sold`; `sold` is final. */
  status?: PetStatus;
}

/** The changed fields, with their previous values. */
export interface PreviousWebhook {
  /** The identifier of the webhook. */
  id?: string;
  /** The endpoint that receives the events. */
  url?: string;
  /** Event types that the webhook receives, if its key may read them. */
  events?: EventType[];
  /** Whether events are sent. */
  enabled?: boolean;
  /** Why the webhook is disabled; null while it is enabled. */
  disabledReason?: DisabledReason | null;
  /** When the webhook was created. */
  createdAt?: string;
  /** The key whose scopes determine which events the webhook receives; present only if the key changed. */
  keyId?: string;
}

/** One request with a valid key. */
export interface RecentRequest {
  /** When the service responded. */
  timestamp: string;
  /** The HTTP method. */
  method: string;
  /** The path without the query, at most 200 characters; secrets are masked. */
  path: string;
  /** The HTTP status of the response. */
  status: number;
  /** The error code; null if the request succeeded. */
  code: string | null;
  /** Time from arrival to response, in ms; for a stream, to its first byte. */
  durationMs: number;
  /** The client's IP address. */
  address: string;
  /** The id in `X-Request-Id`. */
  requestId: string;
}

/** A key's latest requests to the process that answered. */
export interface RecentRequests {
  /** The identifier of the key. */
  keyId: string;
  /** The time from which the list is complete; at most an hour ago. */
  since: string;
  /** Requests after `since`, newest first, up to 200. */
  requests: RecentRequest[];
}

/** A permission that a key can have. `keys:write` and `ops:read` are for operators and apply to all stores. */
export type Scope = 'pets:read' | 'pets:write' | 'orders:read' | 'orders:write' | 'categories:write' | 'webhooks:write' | 'events:read' | 'keys:write' | 'ops:read';

/** The process that answered, and its settings. */
export interface Service {
  /** Version of the program. */
  version: string;
  /** Commit that the program was built from; null if unknown. */
  commit: string | null;
  /** Name and version of the runtime. */
  runtime: string;
  /** Production or staging. */
  environment: 'production' | 'staging';
  /** The database engine. */
  engine: 'sqlite' | 'postgres';
  /** Version of the database schema that the program uses. */
  schema: number;
  /** When the process started. */
  startedAt: string;
  /** All settings, with the values that are in effect. */
  settings: Setting[];
}

/** One setting of the service. */
export interface Setting {
  /** Name of the environment variable. */
  name: string;
  /** The value, without user names and passwords; null if it is secret, or if it is not set and has no default. */
  value: string | null;
  /** Whether the operator set the value. */
  source: 'default' | 'set';
  /** Whether the value is secret. Secret values are never shown. */
  secret: boolean;
}

/** The webhook. If its key changed, `keyId` is the new key. */
export interface UpdatedWebhook {
  /** The identifier of the webhook. */
  id: string;
  /** The endpoint that receives the events. */
  url: string;
  /** Event types that the webhook receives, if its key may read them. */
  events: EventType[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why the webhook is disabled; null while it is enabled. */
  disabledReason: DisabledReason | null;
  /** When the webhook was created. */
  createdAt: string;
  /** The key whose scopes determine which events the webhook receives; present only if the key changed. */
  keyId?: string;
}

/** A key's limits, and its requests in the last 30 days by hour and status. */
export interface Usage {
  /** The identifier of the key. */
  keyId: string;
  /** The 60-second window. */
  minute: UsageWindow;
  /** The 24-hour window. */
  day: UsageWindow;
  /** Number of pets in the key's store, and the limit. */
  pets: UsagePets;
  /** When the key's ban ends; null if the key is not banned. */
  bannedUntil: string | null;
  /** Requests in the last 30 days by hour; hours without requests are omitted. */
  hours: UsageHour[];
}

/** Requests in one hour. */
export interface UsageHour {
  /** Start of the hour. */
  hour: string;
  /** Requests in that hour, including refused ones. */
  total: number;
  /** Requests by response status. */
  byStatus: Record<string, number>;
}

/** Number of pets in the key's store, and the limit. */
export interface UsagePets {
  /** Maximum number of pets in the store; null means no limit. */
  limit: number | null;
  /** Pets in the store, added by any key. */
  used: number;
  /** Pets that the key can still add; null means no limit. */
  remaining: number | null;
}

/** State of one rate-limit window. */
export interface UsageWindow {
  /** Maximum requests per window. */
  limit: number;
  /** Requests counted in the current window. */
  used: number;
  /** Requests left in the current window. */
  remaining: number;
  /** When the window resets. */
  resetAt: string;
}

/** An endpoint that receives events. */
export interface Webhook {
  /** The identifier of the webhook. */
  id: string;
  /** The endpoint that receives the events. */
  url: string;
  /** Event types that the webhook receives, if its key may read them. */
  events: EventType[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why the webhook is disabled; null while it is enabled. */
  disabledReason: DisabledReason | null;
  /** When the webhook was created. */
  createdAt: string;
}

/** Changes to a webhook. Omitted fields stay as they are. */
export interface WebhookChange {
  /** The endpoint that receives the events: a public `https` URL. Operators of closed networks can allow other URLs. */
  url?: string | undefined;
  /** Event types to send. */
  events?: EventType[] | undefined;
  /** Whether events are sent. Events that occur while the webhook is disabled are not sent later. */
  enabled?: boolean | undefined;
  /** The key whose scopes determine which events are sent. Changing it requires the `keys:write` scope. */
  keyId?: string | undefined;
}

/** The object after the change, and the previous values of the changed fields. */
export interface WebhookChangeEventData {
  /** The webhook. If its key changed, `keyId` is the new key. */
  object: UpdatedWebhook;
  /** The changed fields, with their previous values. */
  previous: PreviousWebhook;
}

/** A webhook was created. */
export interface WebhookCreatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'webhook.created';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: WebhookEventData;
}

/** A webhook to create. */
export interface WebhookCreation {
  /** The endpoint that receives the events: a public `https` URL. Operators of closed networks can allow other URLs. */
  url: string;
  /** Event types to send. Default: all pet, order and category events that the key may read. */
  events?: EventType[] | undefined;
}

/** A webhook was deleted. */
export interface WebhookDeletedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'webhook.deleted';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: WebhookEventData;
}

/** The service disabled a webhook. */
export interface WebhookDisabledEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'webhook.disabled';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: WebhookChangeEventData;
}

/** The object after the change, or before its deletion. */
export interface WebhookEventData {
  /** An endpoint that receives events. */
  object: Webhook;
}

/** A test event, sent to one webhook only. */
export interface WebhookTestEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'webhook.test';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, or before its deletion. */
  data: WebhookEventData;
}

/** A webhook, its secret or its key was changed. */
export interface WebhookUpdatedEvent {
  /** Identifier of the event, the same in every list, stream and delivery. */
  id: string;
  /** Sequence number of the event in its store. Later events have higher numbers. */
  sequence: number;
  /** Type of the event. */
  type: 'webhook.updated';
  /** Time of the change. */
  timestamp: string;
  /** The key that made the change; null if the service made it. */
  actor: Actor | null;
  /** The `X-Request-Id` of the request that made the change; null if the service made it. */
  requestId: string | null;
  /** The object after the change, and the previous values of the changed fields. */
  data: WebhookChangeEventData;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  /** The identifier of the webhook. */
  id: string;
  /** The endpoint that receives the events. */
  url: string;
  /** Event types that the webhook receives, if its key may read them. */
  events: EventType[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why the webhook is disabled; null while it is enabled. */
  disabledReason: DisabledReason | null;
  /** When the webhook was created. */
  createdAt: string;
  /** The secret that signs deliveries. Shown only once; null in a replayed response. */
  secret: string | null;
}

/** Query parameters for `pets.list`. */
export interface ListPetsQuery {
  /** Only pets with this status. */
  status?: PetStatus | undefined;
  /** Only pets in this category. */
  categoryId?: Int64 | undefined;
  /** Only pets with these identifiers, separated by commas or in repeated parameters. Unknown identifiers are ignored. */
  ids?: Int64[] | undefined;
  /** Sorts by `id`, or by `name` and then id. Default: `name` if the `name` parameter is set, otherwise `id`. With `categoryId`, a page sorted by name can be short or empty and still have a next page. Beta. */
  sort?: 'id' | 'name' | undefined;
  /** Only pets whose name begins with this text, sorted by name. Case does not matter. Only the first 64 characters are compared. Beta. */
  name?: string | undefined;
  /** Only pets whose name contains this text in its first 64 characters. Case does not matter. A page can be short or empty and still have a next page. Beta. */
  search?: string | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `pets.history`. */
export interface ListPetHistoryQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `orders.list`. */
export interface ListOrdersQuery {
  /** Only orders with this status. */
  status?: OrderStatus | undefined;
  /** Only orders for this pet. */
  petId?: Int64 | undefined;
  /** Only orders placed at this time or later. */
  placedFrom?: string | undefined;
  /** Only orders placed before this time. */
  placedTo?: string | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `categories.list`. */
export interface ListCategoriesQuery {
  /** With `pets`, each category includes its number of pets. */
  count?: 'pets' | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `events.list`. */
export interface ListEventsQuery {
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Only events about this pet and its orders. */
  petId?: Int64 | undefined;
  /** Only events about this order, including the resulting changes to its pet. */
  orderId?: Int64 | undefined;
  /** Only changes made by this key. */
  keyId?: string | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `events.count`. */
export interface CountEventsQuery {
  /** Start of the first period; default: 7 days before `to`. */
  from?: string | undefined;
  /** End of the last period; default: now. */
  to?: string | undefined;
  /** Count by hour or by day, both in UTC. */
  by?: CountPeriod | undefined;
}

/** Query parameters for `webhooks.list`. */
export interface ListWebhooksQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `webhooks.deliveries`. */
export interface ListDeliveriesQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `keys.list`. */
export interface ListKeysQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `audit.list`. */
export interface ListAuditQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Sort order: ascending (`asc`) or descending (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: the cursor in the `Link` header of the previous page. Send it with the same filters and sort order. */
  cursor?: string | undefined;
}

/** Query parameters for `health.series`. */
export interface GetHealthSeriesQuery {
  /** Only samples after this time; default: all. */
  since?: string | undefined;
}
