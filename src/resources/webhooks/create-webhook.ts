import { makeWebhookSecret } from '../../delivery/signature.ts';
import type { Scope } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import type { RandomBytes, RandomText } from '../../kernel/ids.ts';
import { writes } from '../../kernel/operation.ts';
import { OPERATORS_TYPE } from '../events/event.ts';
import { findKey, type KeyReads } from '../keys/keys.repository.ts';
import { readableEvents } from './event-visibility.ts';
import { refuseForbiddenUrl, refuseTooMany, refuseUnreadable } from './refuse-webhook.ts';
import { toWebhookBody, type Webhook } from './webhook.ts';
import { createWebhookContract } from './webhooks.contracts.ts';
import { seesOperators, type WebhookRepositories } from './webhooks.repository.ts';

type Repositories = WebhookRepositories & { keys: KeyReads };
type Deps = { randomText: RandomText; randomBytes: RandomBytes; allowPrivate: boolean };

/** If the scopes allow no event type, returns all types, so that the error message can name the missing scopes. */
const plainEvents = (scopes: readonly Scope[]): readonly EventType[] => {
  const readable = readableEvents(scopes).filter((type) => !OPERATORS_TYPE.test(type));
  return readable.length > 0 ? readable : EVENT_TYPES;
};

export const createWebhook = writes(
  createWebhookContract,
  async (repositories: Repositories, { body }, call, deps: Deps) => {
    refuseForbiddenUrl(body.url, deps.allowPrivate);
    const events = body.events ?? plainEvents(call.scopes);
    refuseUnreadable(events, call.scopes, 'The API key');
    const isForOperators = seesOperators(call);
    const { plan } = await findKey(repositories.keys, call.keyId ?? '');
    refuseTooMany(await repositories.webhooks.lockCount(isForOperators), plan);
    const webhook: Webhook = {
      id: `wh_${deps.randomText(24)}`,
      url: body.url,
      events,
      enabled: true,
      disabledReason: null,
      createdAt: repositories.now(),
      // `keyId` is null only if the service itself makes the change, and the service creates no webhooks.
      keyId: call.keyId ?? '',
      isOperators: isForOperators,
    };
    const secret = makeWebhookSecret(deps.randomBytes);
    await repositories.webhooks.insert(webhook, secret);

    const shown = toWebhookBody(webhook);
    await repositories.events.append({ type: 'webhook.created', object: shown });
    return { body: { ...shown, secret }, location: `/webhooks/${webhook.id}` };
  },
);
