import type { PageRequest, Scope } from '../../kernel/contract.ts';
import { orNotFound } from '../../kernel/failure.ts';
import type { TimePosition } from '../../kernel/time-position.ts';
import type { StoredEvent } from '../events/event.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { KeyScopes } from './event-visibility.ts';
import type { Webhook } from './webhook.ts';

/** So many rows of one webhook are changed in one transaction: others wait while it runs. */
export const CLEARED_AT_ONCE = 500;

type Viewer = { scopes: readonly Scope[] };

export const seesOperators = ({ scopes }: Viewer): boolean => scopes.includes('keys:write');

type DeliveryReads = {
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  listDeliveries(webhookId: string, page: PageRequest<TimePosition>): Promise<Delivery[]>;
};

type DeliveryWrites = {
  /** Adds a delivery of the event to one webhook, whatever that asks for. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Makes a delivery due once more, from the first attempt on. An attempt that is under way does not count for it. */
  redeliver(webhookId: string, delivery: Delivery): Promise<Delivery>;
  /**
   * Keeps what the latest attempt came to; `next.attemptAt` is when to try again, null after the last attempt. A delivery that was
   * given up meanwhile is not tried again, although the webhook may have been enabled since.
   */
  recordAttempt(
    delivery: Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>,
    result: AttemptResult,
    next: { state: DeliveryState; attemptAt: number | null },
  ): Promise<void>;
  /** Ends a delivery that is not to be sent, and keeps why; not one that was redelivered meanwhile. */
  giveUp(delivery: Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>, reason: string): Promise<void>;
  /** Removes up to `most` deliveries from before `before`, and says how many. */
  forgetDeliveries(before: number, most: number): Promise<number>;
};

export type WebhookReads = DeliveryReads & {
  find(id: string): Promise<Webhook | undefined>;
  /** Those of the operator are left out unless they are asked for. */
  list(page: PageRequest<TimePosition>, filter: { withOperators: boolean }): Promise<Webhook[]>;
};

/** The webhooks of one store, and their deliveries. */
export type WebhookRepository = WebhookReads &
  DeliveryWrites & {
    lock(id: string): Promise<Webhook | undefined>;
    /** How many there are, of the operator or of others; nobody else adds one until the transaction ends. */
    lockCount(isOperators: boolean): Promise<number>;
    /** Adds a webhook, which is told of what happens from now on. */
    insert(webhook: Webhook, secret: string): Promise<void>;
    /**
     * Writes the url, the types of events, the key, whose it is, and whether it is enabled. Deliveries are first added for up to
     * `CLEARED_AT_ONCE` events that happened before, by the types asked for until now. If it is disabled, up to as many
     * deliveries still to be made are given up, and `clear` gives up the rest. If it is enabled again, it is told of what happens
     * from now on.
     */
    update(webhook: Webhook): Promise<void>;
    /** Gives it a new secret. The one before goes on signing until `graceEndsAt`. */
    replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
    /** From here on nobody sees it and nothing is sent to it. Its first deliveries are removed, and `clear` removes the rest. */
    remove(id: string): Promise<void>;
    /** Gives up or removes up to `most` deliveries of a webhook that is disabling or removing; says if none are left. */
    clear(id: string, most: number): Promise<boolean>;
    /**
     * Adds the deliveries of the next `most` events to an enabled webhook, of what its key may read; returns how many events
     * there were.
     */
    fanOut(webhookId: string, most: number): Promise<number>;
    /** Notes whether the endpoint works; returns since when it has not. */
    noteHealth(webhookId: string, isWorking: boolean): Promise<number | null>;
  };

/** An endpoint that has something to send now, with the secrets that sign it. */
export type DueEndpoint = { storeId: bigint; webhookId: string; url: string; secrets: string[] };

export type DueDelivery = {
  id: string;
  attempt: number;
  /** When it was to be sent: a redelivery that comes meanwhile has another time. */
  dueAt: number;
  /** The animal concerned: first attempts for one animal are made one after another. */
  petId: bigint | null;
  event: StoredEvent;
  /** What the key of the webhook may do at this moment. */
  scopes: KeyScopes;
};

/** A delivery of an event that the key of the webhook may not read. */
export type HiddenDelivery = { delivery: DueDelivery; reason: string };

/** What is to be sent, in all stores: the view of those who send it. */
export type DeliveryQueue = {
  /** Webhooks that have not been told of everything yet, of one store or of all. */
  lagging(most: number, storeId?: bigint): Promise<{ storeId: bigint; webhookId: string }[]>;
  /** Enabled webhooks whose key is revoked or has expired. */
  keyless(now: number, most: number): Promise<{ storeId: bigint; webhookId: string }[]>;
  /** Webhooks that are disabling or removing. */
  uncleared(most: number): Promise<{ storeId: bigint; webhookId: string }[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  /** Its due deliveries, or those alone that were never attempted. */
  deliveries(endpoint: DueEndpoint, now: number, most: number, which?: 'first attempts'): Promise<DueDelivery[]>;
  /** Since when the delivery that waits longest has been due; undefined if none is. */
  oldestDue(now: number): Promise<number | undefined>;
  /** Takes an endpoint for a while, so that one instance alone sends to it; false if another has it. */
  lease(endpoint: DueEndpoint, holder: string, now: number, until: number): Promise<boolean>;
  /** Makes up to `most` deliveries due now whose next attempt is later than `latest`; returns how many. */
  hasten(now: number, latest: number, most: number): Promise<number>;
};

/** An operator's webhook is not there for others of its store. */
const shownTo = (webhook: Webhook | undefined, { scopes }: Viewer): Webhook | undefined =>
  webhook?.isOperators && !seesOperators({ scopes }) ? undefined : webhook;

/** The webhook, or the refusal that there is none for this caller. */
export const findWebhook = async (webhooks: WebhookReads, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.find(id), viewer), 'webhook', id);

/** The same, to change it: nobody else does until the transaction ends. */
export const lockWebhook = async (webhooks: WebhookRepository, id: string, viewer: Viewer): Promise<Webhook> =>
  orNotFound(shownTo(await webhooks.lock(id), viewer), 'webhook', id);
