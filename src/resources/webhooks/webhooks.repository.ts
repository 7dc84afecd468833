import type { PageRequest, Scope } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/page.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { KeyScopes } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

/** Maximum rows of one webhook that a transaction changes: others wait while it runs. */
export const CLEARED_AT_ONCE = 500;

export type WebhookReads = {
  find(id: string): Promise<Webhook | undefined>;
  list(page: PageRequest<TimePosition>, filter: { withOperators: boolean }): Promise<Webhook[]>;
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  listDeliveries(webhookId: string, page: PageRequest<TimePosition>): Promise<Delivery[]>;
};

/** One attempt of a delivery: a redelivery that comes meanwhile has another time. */
type AttemptName = Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>;

/** The webhooks of one store, and their deliveries. */
export type WebhookRepository = WebhookReads & {
  lock(id: string): Promise<Webhook | undefined>;
  /** Counts the webhooks of the operator or of others; nobody else adds one until the transaction ends. */
  lockCount(isOperators: boolean): Promise<number>;
  /** Adds a webhook, which gets events from now on. */
  insert(webhook: Webhook, secret: string): Promise<void>;
  /**
   * Writes all fields that can change. First adds deliveries for up to `CLEARED_AT_ONCE` earlier events, by the types asked
   * for until now. A webhook that is disabled gives up as many pending deliveries, and `clear` gives up the rest. A webhook
   * that is enabled again gets events from now on.
   */
  update(webhook: Webhook): Promise<void>;
  /** Sets a new secret. The previous one also signs until `graceEndsAt`. */
  replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
  /** Hides the webhook and stops sending. Removes its first deliveries, and `clear` removes the rest. */
  remove(id: string): Promise<void>;
  /** Gives up or removes up to `most` deliveries of a webhook that is disabling or removing; says if none are left. */
  clear(id: string, most: number): Promise<boolean>;
  /** Adds deliveries of the next `most` events that an enabled webhook's key may read; returns how many events there were. */
  fanOut(webhookId: string, most: number): Promise<number>;
  /** Notes whether the endpoint works; returns since when it has not. */
  noteHealth(webhookId: string, isWorking: boolean): Promise<number | null>;

  /** Adds a delivery of the event to one webhook, whatever types that asks for. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Makes a delivery due again, from the first attempt on. An attempt under way does not count for it. */
  redeliver(webhookId: string, delivery: Delivery): Promise<Delivery>;
  /**
   * Records an attempt; `next.attemptAt` is when to try again, null after the last attempt. A delivery that was given up
   * meanwhile is not tried again, although the webhook may have been enabled since.
   */
  recordAttempt(
    delivery: AttemptName,
    result: AttemptResult,
    next: { state: DeliveryState; attemptAt: number | null },
  ): Promise<void>;
  /** Ends a delivery without an attempt; not one that was redelivered meanwhile. */
  giveUp(delivery: AttemptName, reason: string): Promise<void>;
  /** Removes up to `most` deliveries from before `before`; returns how many. */
  forgetDeliveries(before: number, most: number): Promise<number>;
};

/** An endpoint with due deliveries, and the secrets that sign them. */
export type DueEndpoint = { storeId: bigint; webhookId: string; url: string; secrets: string[] };

export type DueDelivery = {
  id: string;
  attempt: number;
  dueAt: number;
  /** First attempts for one animal are made one after another. */
  petId: bigint | null;
  event: StoredEvent;
  scopes: KeyScopes;
};

/** A delivery of an event that the key of the webhook may not read. */
export type HiddenDelivery = { delivery: DueDelivery; reason: string };

type WebhookName = { storeId: bigint; webhookId: string };

/** Work of the dispatcher, in all stores. */
export type DeliveryQueue = {
  /** Webhooks with events that are not fanned out yet, of one store or of all. */
  lagging(most: number, storeId?: bigint): Promise<WebhookName[]>;
  /** Enabled webhooks whose key is revoked or has expired. */
  keyless(now: number, most: number): Promise<WebhookName[]>;
  /** Webhooks that are disabling or removing. */
  uncleared(most: number): Promise<WebhookName[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  deliveries(endpoint: DueEndpoint, now: number, most: number, which?: 'first attempts'): Promise<DueDelivery[]>;
  /** Since when the longest waiting delivery has been due. */
  oldestDue(now: number): Promise<number | undefined>;
  /** Takes an endpoint until then, so that only one instance sends to it; false if another has it. */
  lease(endpoint: DueEndpoint, holder: string, now: number, until: number): Promise<boolean>;
  /** Makes up to `most` deliveries due now whose next attempt is later than `latest`; returns how many. */
  hasten(now: number, latest: number, most: number): Promise<number>;
};

type Viewer = { scopes: readonly Scope[] };

export const seesOperators = ({ scopes }: Viewer): boolean => scopes.includes('keys:write');

/** Hides an operator's webhook from other callers. */
const shownTo = (webhook: Webhook | undefined, viewer: Viewer): Webhook | undefined =>
  webhook?.isOperators && !seesOperators(viewer) ? undefined : webhook;

export const findWebhook = async (webhooks: WebhookReads, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.find(id), viewer), 'webhook', id);

export const lockWebhook = async (webhooks: WebhookRepository, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.lock(id), viewer), 'webhook', id);
