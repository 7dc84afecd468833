// Written by `npm run generate` from the contracts. What is changed here is lost.

/** An integer of 64 bits: a bigint where it lies beyond 2^53. */
export type Int64 = number | bigint;

/** Every `code` of a refusal. */
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
  | 'invalid_status_transition'
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

/** The key behind a change. */
export interface Actor {
  /** The identifier of the key. */
  keyId: string;
}

/** The key or the webhook, as in the event. */
export type AuditData<Int = number> = KeyChangeEventData<Int> | KeyEventData<Int> | WebhookChangeEventData | WebhookEventData;

/** A change of a key or a webhook: who, what, when, from where. */
export interface AuditEntry<Int = number> {
  /** The id of the event. */
  id: string;
  /** What happened. */
  type: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.banned' | 'key.unbanned' | 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted' | 'webhook.test';
  /** When it happened. */
  timestamp: string;
  /** The store it happened in. */
  storeId: Int;
  /** The key or the webhook, as in the event. */
  data: AuditData<Int>;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The address from which the change was made; null if it was the service itself. */
  address: string | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
}

/** A category of animals. */
export interface Category<Int = number> {
  /** The `categoryId` of its animals. */
  id: Int;
  /** What it is called; null until somebody has named it. */
  name: string | null;
}

/** What to change of a category. */
export interface CategoryChange {
  /** What the category is called: 1 to 255 characters, not only white space. */
  name?: string | undefined;
}

/** The thing as it is after the change, and the changed fields as they were. */
export interface CategoryChangeEventData<Int = number> {
  /** A category of animals. */
  object: Category<Int>;
  /** The fields that changed, as they were. */
  previous: PreviousCategory<Int>;
}

/** A category was added. */
export interface CategoryCreatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'category.created';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: CategoryEventData<Int>;
}

/** A category to add. */
export interface CategoryCreation {
  /** What the category is called: 1 to 255 characters, not only white space. */
  name: string;
}

/** The thing as it is now, or as it was when it was removed. */
export interface CategoryEventData<Int = number> {
  /** A category of animals. */
  object: Category<Int>;
}

/** A category was renamed. */
export interface CategoryUpdatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'category.updated';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: CategoryChangeEventData<Int>;
}

/** The way of one event to one endpoint: its latest attempt. */
export interface Delivery {
  /** The identifier of the delivery. */
  id: string;
  /** The event that is sent; also its `webhook-id`. */
  eventId: string;
  /** How many attempts have been made. */
  attempt: number;
  /** Whether the event has arrived (`delivered`), is still to be sent or sent again (`pending`), or is given up (`failed`). */
  state: 'pending' | 'delivered' | 'failed';
  /** The status that the endpoint answered; null if it did not. */
  responseStatus: number | null;
  /** The first 1 KiB of the answer, or why there was none. */
  responseBody: string | null;
  /** How long the attempt took; null before the first. */
  durationMs: number | null;
  /** When the latest attempt was made; null before the first. */
  attemptedAt: string | null;
  /** When the next one is due; null if there is none. */
  nextAttemptAt: string | null;
}

/** The calls of a deprecated operation by one key. */
export interface DeprecatedCalls {
  /** The key that calls it. */
  keyId: string;
  /** How often it has. */
  calls: number;
  /** When it last has. */
  lastCalledAt: string;
}

/** An operation to be removed, and who must still move. */
export interface Deprecation {
  /** The operation to be removed. */
  operation: string;
  /** Since when clients are told. */
  deprecatedSince: string;
  /** From when on it answers 410. */
  sunset: string;
  /** On staging: the instant by which its removal is judged; null: the present one. */
  rehearsedDate: string | null;
  /** When anybody last called it; null: nobody has. */
  lastCalledAt: string | null;
  /** Who still calls it, latest first. */
  keys: DeprecatedCalls[];
}

/** Why a webhook is off: the endpoint answered 410 (`gone`), nothing reached it for five days (`failing`), its key was revoked or has expired (`key_ended`), or somebody switched it off (`switched_off`). */
export type DisabledReason = 'gone' | 'failing' | 'key_ended' | 'switched_off';

/** A change in the store. `type` says which, and what `data` holds. More types may be added. */
export type Event<Int = number> = PetCreatedEvent<Int> | PetUpdatedEvent<Int> | PetStatusChangedEvent<Int> | PetDeletedEvent<Int> | OrderPlacedEvent<Int> | OrderApprovedEvent<Int> | OrderDeliveredEvent<Int> | OrderCancelledEvent<Int> | OrderExpiredEvent<Int> | CategoryCreatedEvent<Int> | CategoryUpdatedEvent<Int> | KeyCreatedEvent<Int> | KeyUpdatedEvent<Int> | KeyRotatedEvent<Int> | KeyRevokedEvent<Int> | KeyBannedEvent<Int> | KeyUnbannedEvent<Int> | WebhookCreatedEvent<Int> | WebhookUpdatedEvent<Int> | WebhookDisabledEvent<Int> | WebhookDeletedEvent<Int> | WebhookTestEvent<Int>;

/** What happened. */
export type EventType = 'pet.created' | 'pet.updated' | 'pet.status_changed' | 'pet.deleted' | 'order.placed' | 'order.approved' | 'order.delivered' | 'order.cancelled' | 'order.expired' | 'category.created' | 'category.updated' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.banned' | 'key.unbanned' | 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted' | 'webhook.test';

/** One change of an animal. */
export interface HistoryEntry<Int = number> {
  /** The sequence of the event. */
  sequence: Int;
  /** When it happened. */
  timestamp: string;
  /** What happened. */
  type: 'pet.created' | 'pet.updated' | 'pet.status_changed' | 'pet.deleted';
  /** What changed, field by field. */
  changes: PetFieldChange<Int>[];
  /** The order that brought it about, if any. */
  orderId: Int | null;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
}

/** Counts of animals by status. */
export interface Inventory<Int = number> {
  /** How many animals are available. */
  available: Int;
  /** How many animals are pending. */
  pending: Int;
  /** How many animals are sold. */
  sold: Int;
}

/** An API key, without its secret. */
export interface Key<Int = number> {
  /** The identifier of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** How many requests the key may make, and how many pets its store may hold. */
  limits: Limits;
  /** What the key may do. */
  scopes: Scope[];
  /** The store the key works in. */
  storeId: Int;
  /** How the secret begins: `ps_live_` in production, `ps_test_` on staging. */
  prefix: string;
  /** How the secret ends, to recognise it by. */
  last4: string;
  /** When it was issued. */
  createdAt: string;
  /** From when on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was last used, give or take seconds; null: never. */
  lastUsedAt: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt: string | null;
  /** When its ban ends; null if it has none. */
  bannedUntil: string | null;
}

/** A key kept calling after 429, and is banned for a while. */
export interface KeyBannedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.banned';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: KeyEventData<Int>;
}

/** What to change of a key. What is left out stays. */
export interface KeyChange {
  /** What the key is for: 1 to 255 characters. */
  name?: string | undefined;
  /** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan?: Plan | undefined;
  /** How many requests a key may make, and how many pets its store may hold when it adds one. They can be set on the plan `enterprise` only. There `perMinute` and `perDay` are required; `pets` is optional. */
  limits?: Limits | undefined;
  /** What the key may do. */
  scopes?: Scope[] | undefined;
  /** From when on the key is refused, at any offset from UTC; null: never. */
  expiresAt?: string | null | undefined;
}

/** The thing as it is after the change, and the changed fields as they were. */
export interface KeyChangeEventData<Int = number> {
  /** An API key, without its secret. */
  object: Key<Int>;
  /** The fields that changed, as they were. */
  previous: PreviousKey<Int>;
}

/** A key was issued. */
export interface KeyCreatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.created';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: KeyEventData<Int>;
}

/** A key to issue. */
export interface KeyCreation {
  /** What the key is for: 1 to 255 characters. */
  name: string;
  /** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** How many requests a key may make, and how many pets its store may hold when it adds one. They can be set on the plan `enterprise` only. There `perMinute` and `perDay` are required; `pets` is optional. */
  limits?: Limits | undefined;
  /** What the key may do; if it is left out `pets:read`, `pets:write`, `orders:read`, `orders:write`. */
  scopes?: Scope[] | undefined;
  /** From when on the key is refused, at any offset from UTC; if it is left out or null: never. */
  expiresAt?: string | null | undefined;
  /** The store the key works in; a new number opens a new store. If it is left out: store 1 in production, a new store of its own on staging. */
  storeId?: Int64 | undefined;
}

/** The thing as it is now, or as it was when it was removed. */
export interface KeyEventData<Int = number> {
  /** An API key, without its secret. */
  object: Key<Int>;
}

/** A key was revoked. */
export interface KeyRevokedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.revoked';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: KeyChangeEventData<Int>;
}

/** A key was given another secret. */
export interface KeyRotatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.rotated';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: KeyChangeEventData<Int>;
}

/** How a key is rotated. */
export interface KeyRotation {
  /** How long the secret before lives on; 0 if it is left out. */
  graceSeconds?: number | undefined;
}

/** The ban of a key was lifted. */
export interface KeyUnbannedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.unbanned';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: KeyChangeEventData<Int>;
}

/** A key was changed. */
export interface KeyUpdatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'key.updated';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: KeyChangeEventData<Int>;
}

/** An API key with its secret. */
export interface KeyWithSecret<Int = number> {
  /** The identifier of the key; not secret. */
  id: string;
  /** What the key is for. */
  name: string;
  /** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan: Plan;
  /** How many requests the key may make, and how many pets its store may hold. */
  limits: Limits;
  /** What the key may do. */
  scopes: Scope[];
  /** The store the key works in. */
  storeId: Int;
  /** How the secret begins: `ps_live_` in production, `ps_test_` on staging. */
  prefix: string;
  /** How the secret ends, to recognise it by. */
  last4: string;
  /** When it was issued. */
  createdAt: string;
  /** From when on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was last used, give or take seconds; null: never. */
  lastUsedAt: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt: string | null;
  /** When its ban ends; null if it has none. */
  bannedUntil: string | null;
  /** The secret itself, shown this once; null when the answer is given again. */
  key: string | null;
}

/** How many requests a key may make, and how many pets its store may hold when it adds one. They can be set on the plan `enterprise` only. There `perMinute` and `perDay` are required; `pets` is optional. */
export interface Limits {
  /** Requests admitted in a window of 60 seconds. */
  perMinute: number;
  /** Requests admitted in a window of 24 hours. */
  perDay: number;
  /** Maximum number of pets in the store when the key adds one; null: no limit. */
  pets?: number | null;
}

/** An animal to add. */
export interface NewPet {
  /** The animal's name: 1 to 255 characters, not only white space, kept exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. One that nobody has described yet is recorded. */
  categoryId: Int64;
  /** Where the animal stands in its sale; `available` if it is left out. */
  status?: PetStatus | undefined;
}

/** Animals to add together. */
export interface NewPetBatch {
  /** The animals, in the order in which they get their ids. */
  pets: NewPet[];
}

/** An order for one animal. */
export interface Order<Int = number> {
  /** Assigned by the service when it is placed. */
  id: Int;
  /** The animal that is bought. */
  petId: Int;
  /** Where the order stands: `placed`, then `approved`, then `delivered`; `placed` or `approved`, then `cancelled`; `placed`, then `expired` when its hold ends. */
  status: OrderStatus;
  /** When it was placed. */
  placedAt: string;
  /** When its status last changed. */
  updatedAt: string;
  /** When the hold ends; null once it is not `placed`. */
  expiresAt: string | null;
}

/** An order was approved. */
export interface OrderApprovedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'order.approved';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: OrderChangeEventData<Int>;
}

/** An order was cancelled, and its animal is free. */
export interface OrderCancelledEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'order.cancelled';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: OrderChangeEventData<Int>;
}

/** The thing as it is after the change, and the changed fields as they were. */
export interface OrderChangeEventData<Int = number> {
  /** An order for one animal. */
  object: Order<Int>;
  /** The fields that changed, as they were. */
  previous: PreviousOrder<Int>;
}

/** An order to place. */
export interface OrderCreation {
  /** The animal to buy. It has to be `available`. */
  petId: Int64;
}

/** An order was delivered, and its animal is sold. */
export interface OrderDeliveredEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'order.delivered';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: OrderChangeEventData<Int>;
}

/** The thing as it is now, or as it was when it was removed. */
export interface OrderEventData<Int = number> {
  /** An order for one animal. */
  object: Order<Int>;
}

/** Nobody approved an order in time, and its animal is free. */
export interface OrderExpiredEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'order.expired';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: OrderChangeEventData<Int>;
}

/** An order was placed, and holds its animal. */
export interface OrderPlacedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'order.placed';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: OrderEventData<Int>;
}

/** Where the order stands: `placed`, then `approved`, then `delivered`; `placed` or `approved`, then `cancelled`; `placed`, then `expired` when its hold ends. */
export type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';

/** An animal of the store. */
export interface Pet<Int = number> {
  /** Assigned by the service on creation. */
  id: Int;
  /** The animal's name: 1 to 255 characters, not only white space, kept exactly as sent. */
  name: string;
  /** Identifier of the category the animal belongs to. One that nobody has described yet is recorded. */
  categoryId: Int;
  /** Where the animal stands in its sale. From `available` it can become `pending` or `sold`, from `pending` `available` or `sold`; `sold` is final. */
  status?: PetStatus;
}

/** A change of the animal’s categoryId. */
export interface PetCategoryChange<Int = number> {
  /** The field that changed. */
  field: 'categoryId';
  /** What it was; null when the animal was added. */
  from: Int | null;
  /** What it is; null when the animal was removed. */
  to: Int | null;
}

/** What to change of an animal. What is left out stays; null is no value. */
export interface PetChange {
  /** The animal's name: 1 to 255 characters, not only white space, kept exactly as sent. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. One that nobody has described yet is recorded. */
  categoryId?: Int64 | undefined;
  /** Where the animal stands in its sale. From `available` it can become `pending` or `sold`, from `pending` `available` or `sold`; `sold` is final. */
  status?: PetStatus | undefined;
}

/** The thing as it is after the change, and the changed fields as they were. */
export interface PetChangeEventData<Int = number> {
  /** An animal of the store. */
  object: Pet<Int>;
  /** The fields that changed, as they were. */
  previous: PreviousPet<Int>;
}

/** An animal was added. */
export interface PetCreatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'pet.created';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: PetEventData<Int>;
}

/** An animal was removed. */
export interface PetDeletedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'pet.deleted';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: PetEventData<Int>;
}

/** The thing as it is now, or as it was when it was removed. */
export interface PetEventData<Int = number> {
  /** An animal of the store. */
  object: Pet<Int>;
}

/** One field of an animal, before and after. */
export type PetFieldChange<Int = number> = PetNameChange | PetCategoryChange<Int> | PetStatusChange;

/** A change of the animal’s name. */
export interface PetNameChange {
  /** The field that changed. */
  field: 'name';
  /** What it was; null when the animal was added. */
  from: string | null;
  /** What it is; null when the animal was removed. */
  to: string | null;
}

/** Where the animal stands in its sale. From `available` it can become `pending` or `sold`, from `pending` `available` or `sold`; `sold` is final. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** A change of the animal’s status. */
export interface PetStatusChange {
  /** The field that changed. */
  field: 'status';
  /** What it was; null when the animal was added. */
  from: PetStatus | null;
  /** What it is; null when the animal was removed. */
  to: PetStatus | null;
}

/** The status of an animal changed. */
export interface PetStatusChangedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'pet.status_changed';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: PetChangeEventData<Int>;
}

/** The name or the category of an animal changed. */
export interface PetUpdatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'pet.updated';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: PetChangeEventData<Int>;
}

/** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

/** The fields that changed, as they were. */
export interface PreviousCategory<Int = number> {
  /** The `categoryId` of its animals. */
  id?: Int;
  /** What it is called; null until somebody has named it. */
  name?: string | null;
}

/** The fields that changed, as they were. */
export interface PreviousKey<Int = number> {
  /** The identifier of the key; not secret. */
  id?: string;
  /** What the key is for. */
  name?: string;
  /** The plan of the key, which sets its limits, in requests a minute, requests a day and pets in its store: `free` 60 / 1,000 / 10,000, `pro` 300 / 10,000 / 100,000, `business` 1,000 / 100,000 / 1,000,000, `enterprise` as set in `limits`. */
  plan?: Plan;
  /** How many requests the key may make, and how many pets its store may hold. */
  limits?: Limits;
  /** What the key may do. */
  scopes?: Scope[];
  /** The store the key works in. */
  storeId?: Int;
  /** How the secret begins: `ps_live_` in production, `ps_test_` on staging. */
  prefix?: string;
  /** How the secret ends, to recognise it by. */
  last4?: string;
  /** When it was issued. */
  createdAt?: string;
  /** From when on it is refused; null: never. */
  expiresAt?: string | null;
  /** When it was last used, give or take seconds; null: never. */
  lastUsedAt?: string | null;
  /** When it was revoked; null if it was not. */
  revokedAt?: string | null;
  /** When its ban ends; null if it has none. */
  bannedUntil?: string | null;
}

/** The fields that changed, as they were. */
export interface PreviousOrder<Int = number> {
  /** Assigned by the service when it is placed. */
  id?: Int;
  /** The animal that is bought. */
  petId?: Int;
  /** Where the order stands: `placed`, then `approved`, then `delivered`; `placed` or `approved`, then `cancelled`; `placed`, then `expired` when its hold ends. */
  status?: OrderStatus;
  /** When it was placed. */
  placedAt?: string;
  /** When its status last changed. */
  updatedAt?: string;
  /** When the hold ends; null once it is not `placed`. */
  expiresAt?: string | null;
}

/** The fields that changed, as they were. */
export interface PreviousPet<Int = number> {
  /** Assigned by the service on creation. */
  id?: Int;
  /** The animal's name: 1 to 255 characters, not only white space, kept exactly as sent. */
  name?: string;
  /** Identifier of the category the animal belongs to. One that nobody has described yet is recorded. */
  categoryId?: Int;
  /** Where the animal stands in its sale. From `available` it can become `pending` or `sold`, from `pending` `available` or `sold`; `sold` is final. */
  status?: PetStatus;
}

/** The fields that changed, as they were. */
export interface PreviousWebhook {
  /** The identifier of the webhook. */
  id?: string;
  /** Where events are sent. */
  url?: string;
  /** What it is told of, as far as its key may read it. */
  events?: EventType[];
  /** Whether anything is sent. */
  enabled?: boolean;
  /** Why nothing is sent; null while it is switched on. */
  disabledReason?: DisabledReason | null;
  /** When it was added. */
  createdAt?: string;
  /** The key by which is judged what it is told, if an operator gave it another. */
  keyId?: string;
}

/** One thing a key may do. `keys:write` and `ops:read` are for operators: they span stores. */
export type Scope = 'pets:read' | 'pets:write' | 'orders:read' | 'orders:write' | 'categories:write' | 'webhooks:write' | 'events:read' | 'keys:write' | 'ops:read';

/** A webhook, and its key if that changed. */
export interface UpdatedWebhook {
  /** The identifier of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** What it is told of, as far as its key may read it. */
  events: EventType[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** Why nothing is sent; null while it is switched on. */
  disabledReason: DisabledReason | null;
  /** When it was added. */
  createdAt: string;
  /** The key by which is judged what it is told, if an operator gave it another. */
  keyId?: string;
}

/** How a key stands, and its requests of the last 30 days by hour and status. */
export interface Usage {
  /** The key in question. */
  keyId: string;
  /** The window of 60 seconds. */
  minute: UsageWindow;
  /** The window of 24 hours. */
  day: UsageWindow;
  /** The pets in the store of the key, and its limit. */
  pets: UsagePets;
  /** When the ban of the key ends; null if there is none. */
  bannedUntil: string | null;
  /** The requests of the last 30 days, hour by hour; empty hours are left out. */
  hours: UsageHour[];
}

/** The requests of one hour. */
export interface UsageHour {
  /** The beginning of the hour. */
  hour: string;
  /** Requests in that hour, refused ones included. */
  total: number;
  /** Requests by the status of their answer. */
  byStatus: Record<string, number>;
}

/** How full the store of the key is. */
export interface UsagePets {
  /** Maximum number of pets in the store; null: no limit. */
  limit: number | null;
  /** Pets in the store, whichever key added them. */
  used: number;
  /** Pets that the key can still add; null: no limit. */
  remaining: number | null;
}

/** How one window stands. */
export interface UsageWindow {
  /** Requests admitted per window. */
  limit: number;
  /** Requests counted in the open window. */
  used: number;
  /** Requests left in it. */
  remaining: number;
  /** When it opens anew. */
  resetAt: string;
}

/** An endpoint that is told of events. */
export interface Webhook {
  /** The identifier of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** What it is told of, as far as its key may read it. */
  events: EventType[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** Why nothing is sent; null while it is switched on. */
  disabledReason: DisabledReason | null;
  /** When it was added. */
  createdAt: string;
}

/** What to change of a webhook. What is left out stays. */
export interface WebhookChange {
  /** Where events are sent: an `https` address that is public. An operator of a closed network can allow others. */
  url?: string | undefined;
  /** What it is told of. */
  events?: EventType[] | undefined;
  /** Whether anything is sent. What happens while it is off is not sent later. */
  enabled?: boolean | undefined;
  /** The key whose scopes decide what it is told. To set it takes the scope `keys:write`. */
  keyId?: string | undefined;
}

/** The thing as it is after the change, and the changed fields as they were. */
export interface WebhookChangeEventData {
  /** A webhook, and its key if that changed. */
  object: UpdatedWebhook;
  /** The fields that changed, as they were. */
  previous: PreviousWebhook;
}

/** A webhook was added. */
export interface WebhookCreatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'webhook.created';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: WebhookEventData;
}

/** A webhook to add. */
export interface WebhookCreation {
  /** Where events are sent: an `https` address that is public. An operator of a closed network can allow others. */
  url: string;
  /** What it is told of; if it is left out all that the key may read of animals, orders and categories. */
  events?: EventType[] | undefined;
}

/** A webhook was removed. */
export interface WebhookDeletedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'webhook.deleted';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: WebhookEventData;
}

/** The service has switched a webhook off. */
export interface WebhookDisabledEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'webhook.disabled';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: WebhookChangeEventData;
}

/** The thing as it is now, or as it was when it was removed. */
export interface WebhookEventData {
  /** An endpoint that is told of events. */
  object: Webhook;
}

/** Somebody tries a webhook, which alone is told of it. */
export interface WebhookTestEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'webhook.test';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is now, or as it was when it was removed. */
  data: WebhookEventData;
}

/** A webhook, its secret or its key was changed. */
export interface WebhookUpdatedEvent<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: 'webhook.updated';
  /** When it happened. */
  timestamp: string;
  /** The key behind it; null if it was the service. */
  actor: Actor | null;
  /** The request behind it (`X-Request-Id`); null if it was the service. */
  requestId: string | null;
  /** The thing as it is after the change, and the changed fields as they were. */
  data: WebhookChangeEventData;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  /** The identifier of the webhook. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** What it is told of, as far as its key may read it. */
  events: EventType[];
  /** Whether anything is sent. */
  enabled: boolean;
  /** Why nothing is sent; null while it is switched on. */
  disabledReason: DisabledReason | null;
  /** When it was added. */
  createdAt: string;
  /** With it deliveries are signed; shown this once, and null when the answer is given again. */
  secret: string | null;
}

/** What `pets.list` takes. */
export interface ListPetsQuery {
  /** Only animals with this status. */
  status?: PetStatus | undefined;
  /** Only animals of this category. */
  categoryId?: Int64 | undefined;
  /** Only the animals with these identifiers, separated by commas. Those that name none are left out. */
  ids?: Int64[] | undefined;
  /** By what the animals are ordered: their id, or their name and then their id. Left out, it is the name where `name` is given, and else the id. Beta. */
  sort?: 'id' | 'name' | undefined;
  /** Only animals whose name begins with this, in capital or small letters alike, in the order of their names. What lies beyond 64 characters is not compared. Beta. */
  name?: string | undefined;
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `pets.history` takes. */
export interface ListPetHistoryQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `orders.list` takes. */
export interface ListOrdersQuery {
  /** Only orders with this status. */
  status?: OrderStatus | undefined;
  /** Only orders for this animal. */
  petId?: Int64 | undefined;
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `categories.list` takes. */
export interface ListCategoriesQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `events.list` takes. */
export interface ListEventsQuery {
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `webhooks.list` takes. */
export interface ListWebhooksQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `webhooks.deliveries` takes. */
export interface ListDeliveriesQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `keys.list` takes. */
export interface ListKeysQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}

/** What `audit.list` takes. */
export interface ListAuditQuery {
  /** Maximum rows to return. */
  limit?: number | undefined;
  /** From the first row to the last (`asc`), or from the last to the first (`desc`). */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the previous page, with the same filters and order. */
  cursor?: string | undefined;
}
