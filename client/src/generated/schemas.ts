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

/** A change of a key or a webhook: who, what, when, from where. */
export interface AuditEntry<Int = number> {
  /** The id of the event. */
  id: string;
  /** What happened. */
  type: string;
  timestamp: string;
  storeId: Int;
  /** The thing as it is after the change (`object`), and the changed fields as they were (`previous`). */
  data: Record<string, unknown>;
  /** The key behind the change; null if it was the service itself. */
  actor: {
    keyId: string;
  } | null;
  /** From where the change was made. */
  address: string | null;
  requestId: string | null;
}

/** A category of animals. */
export interface Category<Int = number> {
  /** The number that animals name. */
  id: Int;
  /** Null until somebody describes it. */
  name: string | null;
}

/** What to change of a category. */
export interface CategoryChange {
  /** What the category is called. */
  name?: string | undefined;
}

/** The way of one event to one endpoint: its latest attempt. */
export interface Delivery {
  id: string;
  eventId: string;
  /** How many attempts have been made. */
  attempt: number;
  state: 'pending' | 'delivered' | 'failed';
  responseStatus: number | null;
  /** The first 1 KiB of the answer, or why there was none. */
  responseBody: string | null;
  durationMs: number | null;
  attemptedAt: string | null;
  nextAttemptAt: string | null;
}

/** An operation to be removed, and who must still move. */
export interface Deprecation {
  /** The operation to be removed. */
  operation: string;
  deprecatedSince: string;
  /** From when on it answers 410. */
  sunset: string;
  lastCalledAt: string | null;
  /** Who still calls it, latest first. */
  keys: Array<{
    keyId: string;
    calls: number;
    lastCalledAt: string;
  }>;
}

/** A change in the store. */
export interface Event<Int = number> {
  /** The same in every list, stream and delivery. */
  id: string;
  /** Rises by one with every event of the store. */
  sequence: Int;
  /** What happened. */
  type: EventType;
  timestamp: string;
  /** The thing as it is after the change (`object`), and the changed fields as they were (`previous`). */
  data: Record<string, unknown>;
  /** The key behind it; null if it was the service. */
  actor: {
    keyId: string;
  } | null;
  requestId: string | null;
}

/** What happened. */
export type EventType = 'pet.created' | 'pet.updated' | 'pet.status_changed' | 'pet.deleted' | 'order.placed' | 'order.approved' | 'order.delivered' | 'order.cancelled' | 'order.expired' | 'category.created' | 'category.updated' | 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'key.banned' | 'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted' | 'webhook.test';

/** One change of an animal. */
export interface HistoryEntry<Int = number> {
  sequence: Int;
  timestamp: string;
  /** What happened. */
  type: string;
  changes: Array<{
    field: string;
    from: string | Int | null;
    to: string | Int | null;
  }>;
  /** The order that brought it about, if any. */
  orderId: Int | null;
  /** The key behind it; null if it was the service. */
  actor: {
    keyId: string;
  } | null;
  requestId: string | null;
}

/** Counts of animals by status. */
export interface Inventory<Int = number> {
  available: Int;
  pending: Int;
  sold: Int;
}

/** An API key, without its secret. */
export interface Key<Int = number> {
  id: string;
  name: string;
  /** The plan of the key, which sets its limits. */
  plan: Plan;
  /** Requests admitted per minute and per day. */
  limits: Limits;
  scopes: Scope[];
  storeId: Int;
  prefix: string;
  last4: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

/** What to change of a key. */
export interface KeyChange {
  /** What the key is for. */
  name?: string | undefined;
  /** The plan of the key, which sets its limits. */
  plan?: Plan | undefined;
  /** Requests admitted per minute and per day. */
  limits?: Limits | undefined;
  scopes?: Scope[] | undefined;
  /** From when on the key is refused. */
  expiresAt?: string | null | undefined;
}

/** How a key is rotated. */
export interface KeyRotation {
  graceSeconds?: number | undefined;
}

/** An API key with its secret. */
export interface KeyWithSecret<Int = number> {
  id: string;
  name: string;
  /** The plan of the key, which sets its limits. */
  plan: Plan;
  /** Requests admitted per minute and per day. */
  limits: Limits;
  scopes: Scope[];
  storeId: Int;
  prefix: string;
  last4: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The secret itself, shown this once; null when the answer is given again. */
  key: string | null;
}

/** Requests admitted per minute and per day. */
export interface Limits {
  perMinute: number;
  perDay: number;
}

/** A category to add. */
export interface NewCategory {
  /** What the category is called. */
  name: string;
}

/** A key to issue. */
export interface NewKey {
  /** What the key is for. */
  name: string;
  /** The plan of the key, which sets its limits. */
  plan: Plan;
  /** Requests admitted per minute and per day. */
  limits?: Limits | undefined;
  scopes?: Scope[] | undefined;
  /** From when on the key is refused. */
  expiresAt?: string | null | undefined;
  /** The store the key works in. A new number opens a new store. */
  storeId?: Int64 | undefined;
}

/** An order to place. */
export interface NewOrder {
  /** The animal to buy. */
  petId: Int64;
}

/** An animal to add. */
export interface NewPet {
  /** The animal's name. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: Int64;
  /** Where the animal stands in its sale. */
  status?: PetStatus | undefined;
}

/** A webhook to add. */
export interface NewWebhook {
  /** Where events are sent. */
  url: string;
  /** What is sent there. At creation: all that the key may read of animals, orders and categories, if it is left out. */
  events?: EventType[] | undefined;
}

/** An order for one animal. */
export interface Order<Int = number> {
  id: Int;
  petId: Int;
  /** Where the order stands. */
  status: OrderStatus;
  placedAt: string;
  updatedAt: string;
  /** When the hold ends; null once it is not `placed`. */
  expiresAt: string | null;
}

/** Where the order stands. */
export type OrderStatus = 'placed' | 'approved' | 'delivered' | 'cancelled' | 'expired';

/** An animal of the store. */
export interface Pet<Int = number> {
  /** Assigned by the service on creation. */
  id: Int;
  /** The animal's name. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: Int;
  /** Where the animal stands in its sale. */
  status?: PetStatus;
}

/** What to change of an animal. */
export interface PetChange {
  /** The animal's name. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. */
  categoryId?: Int64 | undefined;
  /** Where the animal stands in its sale. */
  status?: PetStatus | undefined;
}

/** Where the animal stands in its sale. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** The plan of the key, which sets its limits. */
export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

/** One thing a key may do. */
export type Scope = 'pets:read' | 'pets:write' | 'orders:read' | 'orders:write' | 'categories:write' | 'webhooks:write' | 'events:read' | 'keys:write' | 'ops:read';

/** How a key stands, and its requests of the last 30 days by hour and status. */
export interface Usage {
  keyId: string;
  /** How one window stands. */
  minute: UsageWindow;
  /** How one window stands. */
  day: UsageWindow;
  bannedUntil: string | null;
  hours: Array<{
    /** The beginning of the hour. */
    hour: string;
    total: number;
    /** Requests by the status of their answer. */
    byStatus: Record<string, number>;
  }>;
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
  id: string;
  url: string;
  events: EventType[];
  enabled: boolean;
  /** Why nothing is sent: `gone`, `failing`, `key_ended` or `switched_off`. */
  disabledReason: string | null;
  createdAt: string;
}

/** What to change of a webhook. */
export interface WebhookChange {
  /** Where events are sent. */
  url?: string | undefined;
  /** What is sent there. At creation: all that the key may read of animals, orders and categories, if it is left out. */
  events?: EventType[] | undefined;
  /** Whether anything is sent. */
  enabled?: boolean | undefined;
  /** The key by which is judged what it is told. Takes the scope `keys:write`. */
  keyId?: string | undefined;
}

/** A webhook with its secret. */
export interface WebhookWithSecret {
  id: string;
  url: string;
  events: EventType[];
  enabled: boolean;
  /** Why nothing is sent: `gone`, `failing`, `key_ended` or `switched_off`. */
  disabledReason: string | null;
  createdAt: string;
  /** With it deliveries are signed; shown this once, and null when the answer is given again. */
  secret: string | null;
}

/** What `pets.list` takes. */
export interface ListPetsQuery {
  /** Where the animal stands in its sale. */
  status?: PetStatus | undefined;
  /** Only animals of this category. */
  categoryId?: Int64 | undefined;
  /** Only these animals. Ids that name none are left out. */
  ids?: Int64[] | undefined;
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `pets.history` takes. */
export interface ListPetHistoryQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `orders.list` takes. */
export interface ListOrdersQuery {
  /** Where the order stands. */
  status?: OrderStatus | undefined;
  /** Only orders for this animal. */
  petId?: Int64 | undefined;
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `categories.list` takes. */
export interface ListCategoriesQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `events.list` takes. */
export interface ListEventsQuery {
  /** What happened. */
  type?: EventType | undefined;
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `webhooks.list` takes. */
export interface ListWebhooksQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `webhooks.deliveries` takes. */
export interface ListDeliveriesQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `keys.list` takes. */
export interface ListKeysQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}

/** What `audit.list` takes. */
export interface ListAuditQuery {
  /** The most rows to return. */
  limit?: number | undefined;
  /** From the first to the last, or the other way round. */
  order?: 'asc' | 'desc' | undefined;
  /** Where the page starts: taken from the `Link` header of the page before. */
  cursor?: string | undefined;
}
