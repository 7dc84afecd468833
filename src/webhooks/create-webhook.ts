import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event.ts';
import { writes } from '../kernel/operation.ts';
import type { RandomBytes, RandomText } from '../kernel/random-id.ts';
import { createWebhookContract } from './create-webhook.contract.ts';
import { refuseDestination, refuseOperatorsEvents, refuseTooMany } from './refuse-webhook.ts';
import { makeWebhookSecret } from './signature.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import type { WebhookRepository } from './webhooks.repository.ts';

type Repositories = { webhooks: WebhookRepository; events: EventLog; now: Clock };
type Deps = { randomText: RandomText; randomBytes: RandomBytes; allowPrivate: boolean };

export const createWebhook = writes(
  createWebhookContract,
  async (repositories: Repositories, { body }, call, deps: Deps) => {
    refuseDestination(body.url, deps.allowPrivate);
    refuseOperatorsEvents(body.events, call);
    refuseTooMany(await repositories.webhooks.lockCount());
    const webhook: Webhook = {
      id: `wh_${deps.randomText(24)}`,
      url: body.url,
      events: body.events,
      enabled: true,
      disabledReason: null,
      createdAt: repositories.now(),
    };
    const secret = makeWebhookSecret(deps.randomBytes);
    await repositories.webhooks.insert(webhook, secret);

    const shown = toWebhookBody(webhook);
    await repositories.events.append({ type: 'webhook.created', object: shown });
    return { body: { ...shown, secret }, location: `/webhooks/${webhook.id}` };
  },
);
