import type { StoredEvent } from '../events/event.ts';
import type { PageRequest } from '../kernel/contract.ts';
import { Failure } from '../kernel/failure.ts';
import type { TimePosition } from '../kernel/time-position.ts';
import type { AttemptResult, Delivery, DeliveryState } from './delivery.ts';
import type { Webhook } from './webhook.ts';

/** So many rows of one webhook are changed in one transaction: others wait while it runs. */
export const CLEARED_AT_ONCE = 500;

export type WebhookReads = {
  find(id: string): Promise<Webhook | undefined>;
  list(page: PageRequest<TimePosition>): Promise<Webhook[]>;
  findDelivery(webhookId: string, id: string): Promise<Delivery | undefined>;
  listDeliveries(webhookId: string, page: PageRequest<TimePosition>): Promise<Delivery[]>;
};

/** The webhooks of one store, and what was sent to them. */
export type WebhookRepository = WebhookReads & {
  lock(id: string): Promise<Webhook | undefined>;
  /** How many there are; nobody else adds one until the transaction ends. */
  lockCount(): Promise<number>;
  /** Adds a webhook, which is told of what happens from now on. */
  insert(webhook: Webhook, secret: string): Promise<void>;
  /**
   * Keeps what may change: url, events, whether it is switched on. What happened before is judged by what it asked for
   * then, as far as one transaction reaches. Switched off, it gives up what it had still to send, of which `clear` does what is too much for one
   * transaction; switched on again once that is done, it starts afresh.
   */
  update(webhook: Webhook): Promise<void>;
  /** Gives it a new secret. The one before goes on signing until `graceEndsAt`. */
  replaceSecret(id: string, secret: string, graceEndsAt: number): Promise<void>;
  /** From here on nobody sees it and nothing is sent to it; `clear` removes what is too much for one transaction. */
  remove(id: string): Promise<void>;
  /** Gives up or removes up to `most` of what a webhook that is switched off or removed left; says if that was all. */
  clear(id: string, most: number): Promise<boolean>;
  /** Puts the newest event of this store on its way to one webhook, whatever that asks for. */
  sendTest(webhookId: string, eventId: string): Promise<Delivery>;
  /** Puts a delivery on its way once more, from the first attempt on. One that is under way does not count for it. */
  redeliver(webhookId: string, delivery: Delivery): Promise<Delivery>;
  /** Puts what the webhook asks for of the next `most` events on its way to it; returns how many there were. */
  fanOut(webhookId: string, most: number): Promise<number>;
  /**
   * Keeps what the latest attempt came to; `next` is when to try again, null if it is done with. What was
   * given up meanwhile has no next, though the webhook may be switched on again.
   */
  recordAttempt(
    delivery: Pick<DueDelivery, 'id' | 'attempt' | 'dueAt'>,
    outcome: AttemptResult,
    next: { state: DeliveryState; attemptAt: number | null },
  ): Promise<void>;
  /** Removes up to `most` deliveries from before `before`, and says how many. */
  forgetDeliveries(before: number, most: number): Promise<number>;
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
};

/** What is to be sent, in all stores: the view of those who send it. */
export type DeliveryQueue = {
  /** Webhooks that have not been told of everything yet, of one store or of all. */
  lagging(most: number, storeId?: bigint): Promise<{ storeId: bigint; webhookId: string }[]>;
  /** Webhooks that are switched off or removed and have left something to clear. */
  uncleared(most: number): Promise<{ storeId: bigint; webhookId: string }[]>;
  endpoints(now: number, storeId?: bigint): Promise<DueEndpoint[]>;
  deliveries(endpoint: DueEndpoint, now: number, most: number): Promise<DueDelivery[]>;
  /** Takes an endpoint for a while, so that one instance alone sends to it; false if another has it. */
  lease(endpoint: DueEndpoint, holder: string, now: number, until: number): Promise<boolean>;
};

const orRefuse = (webhook: Webhook | undefined, id: string): Webhook => {
  if (!webhook) throw new Failure('not_found', `There is no webhook ${JSON.stringify(id)}.`);
  return webhook;
};

/** The webhook, or the refusal that there is none. */
export const findWebhook = async (webhooks: WebhookReads, id: string): Promise<Webhook> =>
  orRefuse(await webhooks.find(id), id);

/** The same, to change it: nobody else does until the transaction ends. */
export const lockWebhook = async (webhooks: WebhookRepository, id: string): Promise<Webhook> =>
  orRefuse(await webhooks.lock(id), id);
