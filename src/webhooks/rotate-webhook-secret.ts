import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { RandomBytes } from '../kernel/random-id.ts';
import { refuseOperatorsWebhook } from './refuse-webhook.ts';
import { rotateWebhookSecretContract } from './rotate-webhook-secret.contract.ts';
import { makeWebhookSecret } from './signature.ts';
import { toWebhookBody } from './webhook.ts';
import { lockWebhook, type WebhookStore } from './webhooks.store.ts';

/** How long both secrets sign, so that a receiver can change over without losing anything. */
const GRACE_MS = 24 * 3_600_000;

type Stores = { webhooks: WebhookStore; events: EventLog; now: Clock };

export const rotateWebhookSecret = ({ randomBytes }: { randomBytes: RandomBytes }) =>
  writes(rotateWebhookSecretContract, async (stores: Stores, { path }, call) => {
    const webhook = await lockWebhook(stores.webhooks, path.webhookId);
    refuseOperatorsWebhook(webhook, call);
    const secret = makeWebhookSecret(randomBytes);
    await stores.webhooks.replaceSecret(webhook.id, secret, stores.now() + GRACE_MS);
    const shown = toWebhookBody(webhook);
    await stores.events.append({ type: 'webhook.updated', object: shown });
    return { body: { ...shown, secret } };
  });
