import { changedFields } from '../kernel/changed-fields.ts';
import type { EventLog } from '../kernel/event.ts';
import { Failure } from '../kernel/failure.ts';
import { writes } from '../kernel/operation.ts';
import { refuseDestination, refuseOperatorsEvents, refuseOperatorsWebhook } from './refuse-webhook.ts';
import { updateWebhookContract } from './update-webhook.contract.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import { CLEARED_AT_ONCE, lockWebhook, type WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog };
type Deps = { allowPrivate: boolean };

export const updateWebhook = writes(
  updateWebhookContract,
  async (repositories: Repositories, { path, body }, call, { allowPrivate }: Deps) => {
    if (body.url !== undefined) refuseDestination(body.url, allowPrivate);
    refuseOperatorsEvents(body.events ?? [], call);
    const webhook = await lockWebhook(repositories.webhooks, path.webhookId);
    refuseOperatorsWebhook(webhook, call);
    const enabled = body.enabled ?? webhook.enabled;
    if (enabled && !webhook.enabled && !(await repositories.webhooks.clear(webhook.id, CLEARED_AT_ONCE))) {
      throw new Failure(
        'invalid_status_transition',
        `The webhook ${webhook.id} is still giving up what it had to send; enable it in a moment.`,
      );
    }
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
      await repositories.webhooks.update(changed);
      await repositories.events.append({ type: 'webhook.updated', object: shown, previous });
    }
    return { body: shown };
  },
);
