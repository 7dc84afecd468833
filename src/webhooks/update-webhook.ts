import { changedFields } from '../kernel/changed-fields.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import { refuseDestination, refuseOperatorsEvents } from './refuse-webhook.ts';
import { updateWebhookContract } from './update-webhook.contract.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import { lockWebhook, type WebhookStore } from './webhooks.store.ts';

type Stores = { webhooks: WebhookStore; events: EventLog };

export const updateWebhook = ({ allowPrivate }: { allowPrivate: boolean }) =>
  writes(updateWebhookContract, async (stores: Stores, { path, body }, call) => {
    if (body.url !== undefined) refuseDestination(body.url, allowPrivate);
    refuseOperatorsEvents(body.events ?? [], call);
    const webhook = await lockWebhook(stores.webhooks, path.webhookId);
    // Who may not hear of keys must not lead elsewhere what an operator's webhook hears of them.
    if (body.url !== undefined) refuseOperatorsEvents(body.events ?? webhook.events, call);
    const enabled = body.enabled ?? webhook.enabled;
    const switchedOff = webhook.enabled ? 'switched_off' : webhook.disabledReason;
    const changed: Webhook = {
      ...webhook,
      url: body.url ?? webhook.url,
      events: body.events ?? webhook.events,
      enabled,
      disabledReason: enabled ? null : switchedOff,
    };
    const shown = toWebhookBody(changed);
    const previous = changedFields(toWebhookBody(webhook), shown);
    if (previous) {
      await stores.webhooks.update(changed);
      await stores.events.append({ type: 'webhook.updated', object: shown, previous });
    }
    return { body: shown };
  });
