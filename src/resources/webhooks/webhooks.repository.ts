import type { PageRequest, Scope } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { KeyScopes } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

/** Maximum rows of one webhook that a transaction changes. Other writers wait for it, so it must be short. */
export const CLEARED_PER_TRANSACTION = 500;

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
   * Stores all fields that can change. Before that, adds deliveries for up to `CLEARED_PER_TRANSACTION` earlier events,
   * by the previous event types. If the webhook is disabled, also gives up at most that many pending deliveries;
   * `clear` gives up the others. A webhook that is enabled again receives only events that occur after this update.
   */
  update(webhook: Webhook): Promise<void>;
  replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
  /** Hides the webhook and stops sending. Removes some of its deliveries; `clear` removes the others. */
  remove(id: string): Promise<void>;
  /** Gives up or removes up to `most` deliveries of a `disabling` or `removing` webhook. True if none are left. */
  clear(id: string, most: number): Promise<boolean>;
  /** Adds deliveries for up to `most` more events that the key may read. Returns how many events were read. */
  fanOut(webhookId: string, most: number): Promise<number>;
  /** Records whether the endpoint works. Returns when it began to fail, or null if it works. */
  noteHealth(webhookId: string, isWorking: boolean): Promise<number | null>;

  /** Sends a test event, even if the webhook does not subscribe to test events. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Makes a delivery due again, beginning with the first attempt. The result of a running attempt is ignored. */
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
  /** Marks a delivery as failed without an attempt, unless it was redelivered meanwhile. */
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
  event: StoredEvent;
  scopes: KeyScopes;
};

export type HiddenDelivery = { delivery: DueDelivery; reason: string };

type WebhookName = { storeId: bigint; webhookId: string };

export type DeliveryQueue = {
  lagging(most: number, storeId?: bigint): Promise<WebhookName[]>;
  keyless(now: number, most: number): Promise<WebhookName[]>;
  uncleared(most: number): Promise<WebhookName[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  deliveries(endpoint: DueEndpoint, now: number, most: number, which?: 'first attempts'): Promise<DueDelivery[]>;
  /** When the delivery that has waited longest became due. Undefined if no delivery is due. */
  oldestDue(now: number): Promise<number | undefined>;
  /** Reserves an endpoint until `until`, so that only one instance sends to it. False if another instance has it. */
  lease(endpoint: DueEndpoint, holder: string, now: number, until: number): Promise<boolean>;
  /** Makes deliveries due now if their next attempt is after `latest`. Returns how many were changed. */
  hasten(now: number, latest: number, most: number): Promise<number>;
};

type Viewer = { scopes: readonly Scope[] };

export const seesOperators = ({ scopes }: Viewer): boolean => scopes.includes('keys:write');

const shownTo = (webhook: Webhook | undefined, viewer: Viewer): Webhook | undefined =>
  webhook?.isOperators && !seesOperators(viewer) ? undefined : webhook;

export const findWebhook = async (webhooks: WebhookReads, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.find(id), viewer), 'webhook', id);

export const lockWebhook = async (webhooks: WebhookRepository, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.lock(id), viewer), 'webhook', id);
