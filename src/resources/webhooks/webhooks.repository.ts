import type { PageRequest, Scope } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { EventLog } from '../../kernel/operation.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { Clock } from '../../kernel/runtime.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { KeyScopes } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

/** Other writers wait while a transaction runs, so each transaction must be short. */
export const CLEARED_PER_TRANSACTION = 500;

/** An instance's claim on a delivery expires after this time. No attempt takes this long. */
export const CLAIM_MS = 30_000;

export type WebhookReads = {
  find(id: string): Promise<Webhook | undefined>;
  list(page: PageRequest<TimePosition>, filter: { withOperators: boolean }): Promise<Webhook[]>;
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  listDeliveries(webhookId: string, page: PageRequest<TimePosition>): Promise<Delivery[]>;
};

/** Identifies one attempt. `attempt` is not enough, because a redelivery starts at 0 again, but with a new `dueAt`. */
type AttemptName = Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>;

export type WebhookRepository = WebhookReads & {
  lock(id: string): Promise<Webhook | undefined>;
  /** Returns the number of webhooks, and blocks new webhooks until the transaction ends. */
  lockCount(isOperators: boolean): Promise<number>;
  insert(webhook: Webhook, secret: string): Promise<void>;
  /**
   * Before the update, creates the deliveries for earlier events, using the previous event types. If the update
   * disables the webhook, also marks some pending deliveries as failed; `clear` marks the remaining deliveries.
   */
  update(webhook: Webhook): Promise<void>;
  replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
  /** Hides the webhook and removes some of its deliveries; `clear` removes the rest. */
  remove(id: string): Promise<void>;
  /**
   * If the webhook is `disabling`, marks up to `most` pending deliveries as failed. If the webhook is `removing`,
   * removes up to `most` deliveries. Returns true if no such deliveries are left.
   */
  clear(id: string, most: number): Promise<boolean>;
  /** Creates about `most` deliveries for new events. Returns true if more events need deliveries. */
  fanOut(most: number): Promise<boolean>;
  /** Updates the time at which the store's next delivery is due. */
  settle(): Promise<void>;
  /**
   * If a delivery's next attempt is later than `latest`, changes the time of that attempt to now. Returns the number of
   * deliveries that were changed.
   */
  hasten(latest: number, most: number): Promise<number>;
  /** Records whether the endpoint works. Returns the time when it began to fail, or null if it works. */
  noteHealth(webhookId: string, isWorking: boolean): Promise<number | null>;

  /** Creates a delivery for a test event, even if the webhook does not subscribe to test events. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Makes a delivery due now, as if it had never been tried. The result of an attempt in progress is ignored. */
  redeliver(webhookId: string, delivery: Delivery): Promise<Delivery>;
  /** A delivery that was marked as failed during the attempt is never retried, even if the webhook is enabled again. */
  recordAttempt(
    delivery: AttemptName,
    result: AttemptResult,
    next: { state: DeliveryState; attemptAt: number | null },
  ): Promise<void>;
  /**
   * Claims the given deliveries, except deliveries that another instance has claimed or whose webhook is not enabled.
   * Returns the ids of the claimed deliveries.
   */
  claim(ids: readonly string[]): Promise<string[]>;
  release(delivery: AttemptName): Promise<void>;
  /** Marks a delivery as failed without attempting it, unless it was redelivered in the meantime. */
  giveUp(delivery: AttemptName, reason: string): Promise<void>;
  forgetDeliveries(before: number, most: number): Promise<number>;
};

export type WebhookRepositories = { webhooks: WebhookRepository; events: EventLog; now: Clock };

export type DueEndpoint = { storeId: bigint; webhookId: string; url: string; secrets: string[] };

export type DueDelivery = {
  id: string;
  attempt: number;
  dueAt: number;
  /** If several deliveries are about the same pet, their first attempts are made one after another. */
  petId: bigint | null;
  /** True if an instance is sending the delivery, or if the instance stopped while it was sending the delivery. */
  isClaimed: boolean;
  event: StoredEvent;
  scopes: KeyScopes;
};

type WebhookName = { storeId: bigint; webhookId: string };

export type DeliveryQueue = {
  /** True if several instances use the database. If so, deliveries are created when sequence numbers are assigned. */
  readonly isShared: boolean;
  /** Returns the stores that have events for which deliveries still have to be created. */
  lagging(storeId?: bigint): Promise<bigint[]>;
  /** Returns enabled webhooks whose key expired or was revoked in this time range. */
  keyless(ended: { from: number; to: number }, most: number, keyId?: string): Promise<WebhookName[]>;
  uncleared(most: number): Promise<WebhookName[]>;
  dueStores(now: number): Promise<bigint[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  deliveries(endpoint: DueEndpoint, now: number, most: number, which?: 'first attempts'): Promise<DueDelivery[]>;
  oldestDue(now: number): Promise<number | undefined>;
  /** Returns the stores that have a delivery whose next attempt is later than `latest`. */
  farAhead(latest: number): Promise<bigint[]>;
};

type Viewer = { scopes: readonly Scope[] };

export const seesOperators = ({ scopes }: Viewer): boolean => scopes.includes('keys:write');

const shownTo = (webhook: Webhook | undefined, viewer: Viewer): Webhook | undefined =>
  webhook?.isOperators && !seesOperators(viewer) ? undefined : webhook;

export const findWebhook = async (webhooks: WebhookReads, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.find(id), viewer), 'webhook', id);

export const lockWebhook = async (webhooks: WebhookRepository, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.lock(id), viewer), 'webhook', id);
