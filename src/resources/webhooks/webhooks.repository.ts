import type { PageRequest, Scope } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { KeyScopes } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

/** Maximum rows of one webhook that a transaction changes. Other writers wait for it, so it must be short. */
export const CLEARED_PER_TRANSACTION = 500;

/** How long an instance may send a delivery that it has claimed, in ms. Longer than any attempt. */
export const CLAIM_MS = 30_000;

export type WebhookReads = {
  find(id: string): Promise<Webhook | undefined>;
  list(page: PageRequest<TimePosition>, filter: { withOperators: boolean }): Promise<Webhook[]>;
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  listDeliveries(webhookId: string, page: PageRequest<TimePosition>): Promise<Delivery[]>;
};

/** Identifies one attempt. A redelivery changes `dueAt`, so that the result of an older attempt no longer matches. */
type AttemptName = Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>;

export type WebhookRepository = WebhookReads & {
  lock(id: string): Promise<Webhook | undefined>;
  /** Counts the webhooks of operators, or those of other keys. None can be added until the transaction ends. */
  lockCount(isOperators: boolean): Promise<number>;
  /** The webhook receives only events that occur after it is added. */
  insert(webhook: Webhook, secret: string): Promise<void>;
  /**
   * Stores all mutable fields. First adds the webhook's deliveries for up to `CLEARED_PER_TRANSACTION` earlier events, using the
   * previous event types. If the webhook is disabled, also gives up at most that many pending deliveries; `clear` gives
   * up the rest. A webhook that is enabled again receives only events that occur after this update.
   */
  update(webhook: Webhook): Promise<void>;
  replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
  /** Hides the webhook and stops sending. Removes some of its deliveries; `clear` removes the others. */
  remove(id: string): Promise<void>;
  /** Gives up or removes up to `most` deliveries of a `disabling` or `removing` webhook. True if none are left. */
  clear(id: string, most: number): Promise<boolean>;
  /** Adds about `most` deliveries of new events to the store's webhooks. Returns whether more events are left. */
  fanOut(most: number): Promise<boolean>;
  /** Sets the time at which the store's next delivery is due. */
  settle(): Promise<void>;
  /** Moves the next attempt of a delivery to now if it is later than `latest`. Returns the number of deliveries changed. */
  hasten(latest: number, most: number): Promise<number>;
  /** Returns the time at which the endpoint began to fail; null if it works. */
  noteHealth(webhookId: string, isWorking: boolean): Promise<number | null>;

  /** Sends a test event, even if the webhook does not subscribe to test events. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Makes a delivery due again and starts over with the first attempt. The result of a running attempt is ignored. */
  redeliver(webhookId: string, delivery: Delivery): Promise<Delivery>;
  /**
   * Records an attempt. `next.attemptAt` is the time of the retry, or null after the last attempt. A delivery that was
   * given up during the attempt is not retried, even if the webhook has been enabled again.
   */
  recordAttempt(
    delivery: AttemptName,
    result: AttemptResult,
    next: { state: DeliveryState; attemptAt: number | null },
  ): Promise<void>;
  /** Claims due deliveries before they are sent. Returns the ids of those that no other instance has claimed. */
  claim(ids: readonly string[]): Promise<string[]>;
  /** Ends the claim of an attempt that has no result. */
  release(delivery: AttemptName): Promise<void>;
  /** Fails a delivery without an attempt, unless it was redelivered in the meantime. */
  giveUp(delivery: AttemptName, reason: string): Promise<void>;
  forgetDeliveries(before: number, most: number): Promise<number>;
};

export type DueEndpoint = { storeId: bigint; webhookId: string; url: string; secrets: string[] };

export type DueDelivery = {
  id: string;
  attempt: number;
  dueAt: number;
  /** Used to send first attempts for the same pet one after another. */
  petId: bigint | null;
  /** Whether an instance is sending the delivery, or was when it died. */
  isClaimed: boolean;
  event: StoredEvent;
  scopes: KeyScopes;
};

export type HiddenDelivery = { delivery: DueDelivery; reason: string };

type WebhookName = { storeId: bigint; webhookId: string };

export type DeliveryQueue = {
  /** Whether other instances use the same database. Their events are fanned out when they get their sequences. */
  readonly isShared: boolean;
  /** Returns the stores with events that are not fanned out yet: all of them, or only the given store. */
  lagging(storeId?: bigint): Promise<bigint[]>;
  /** Returns enabled webhooks whose key ended in that time: those of one key, or all. */
  keyless(ended: { from: number; to: number }, most: number, keyId?: string): Promise<WebhookName[]>;
  uncleared(most: number): Promise<WebhookName[]>;
  /** Returns the stores that may have due deliveries. */
  dueStores(now: number): Promise<bigint[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  deliveries(endpoint: DueEndpoint, now: number, most: number, which?: 'first attempts'): Promise<DueDelivery[]>;
  /** When the delivery that has waited longest became due. Undefined if no delivery is due. */
  oldestDue(now: number): Promise<number | undefined>;
  /** Returns the stores with a delivery whose next attempt is after `latest`. */
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
