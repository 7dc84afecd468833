import { Failure } from '../../kernel/failure.ts';
import { type Call, changedFields, writes } from '../../kernel/operation.ts';
import { OPERATORS_TYPE } from '../events/event.ts';
import { isLive, type Key } from '../keys/key.ts';
import type { KeyReads } from '../keys/keys.repository.ts';
import { readableEvents } from './event-visibility.ts';
import { refuseForbiddenUrl, refuseUnfitKey, refuseUnreadable } from './refuse-webhook.ts';
import { toWebhookBody, type Webhook, type WebhookChange } from './webhook.ts';
import { updateWebhookContract } from './webhooks.contracts.ts';
import {
  CLEARED_PER_TRANSACTION,
  lockWebhook,
  seesOperators,
  type WebhookRepositories,
} from './webhooks.repository.ts';

type Repositories = WebhookRepositories & { keys: Pick<KeyReads, 'find'> };
type Deps = { allowPrivate: boolean };

const refuseForm = (body: WebhookChange, call: Call, { allowPrivate }: Deps): void => {
  if (body.url !== undefined) refuseForbiddenUrl(body.url, allowPrivate);
  refuseUnreadable(body.events ?? [], call.scopes, 'The API key');
  if (body.keyId !== undefined && !seesOperators(call)) {
    throw new Failure(
      'insufficient_scope',
      'The API key lacks the `keys:write` scope, which is needed to change `keyId`. Ask the operator to change `keyId` for you.',
    );
  }
};

const refuseInvisible = async (
  repositories: Repositories,
  { webhook, changed, body, call }: { webhook: Webhook; changed: Webhook; body: WebhookChange; call: Call },
): Promise<Key | undefined> => {
  const now = repositories.now();
  const key = await repositories.keys.find(body.keyId ?? webhook.keyId);
  const adopted = body.keyId === undefined ? undefined : refuseUnfitKey(key, call.storeId, now);
  const visible = [...changed.events, ...readableEvents(key?.scopes ?? [])];
  // Without this check, callers could enter their own URL and receive events that only the webhook's key may read.
  if (body.url !== undefined) refuseUnreadable(visible, call.scopes, 'The API key');
  if (!adopted && changed.enabled && !(key && isLive(key, now))) {
    throw new Failure(
      'invalid_status_transition',
      `Webhook ${webhook.id} cannot be ${webhook.enabled ? 'changed' : 'enabled'} because its key has been revoked or has expired. An operator can assign another key (PATCH /webhooks/${webhook.id} with keyId).`,
    );
  }
  if (key && (body.events || adopted)) refuseUnreadable(changed.events, key.scopes, `Key ${key.id}`);
  return adopted;
};

const refuseClearing = async ({ webhooks }: Repositories, { id }: Webhook): Promise<void> => {
  if (await webhooks.clear(id, CLEARED_PER_TRANSACTION)) return;
  throw new Failure(
    'invalid_status_transition',
    `Webhook ${id} has pending deliveries that are still being cancelled. Retry in a moment.`,
  );
};

const applyChange = (webhook: Webhook, body: WebhookChange): Webhook => {
  const isRevived = body.keyId !== undefined && webhook.disabledReason === 'key_ended';
  const enabled = body.enabled ?? (webhook.enabled || isRevived);
  const switchedOff = webhook.enabled ? 'switched_off' : webhook.disabledReason;
  return {
    ...webhook,
    url: body.url ?? webhook.url,
    events: body.events ?? webhook.events,
    enabled,
    disabledReason: enabled ? null : switchedOff,
  };
};

export const updateWebhook = writes(
  updateWebhookContract,
  async (repositories: Repositories, { path, body }, call, deps: Deps) => {
    refuseForm(body, call, deps);
    const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
    const changed = applyChange(webhook, body);
    const isEnabled = changed.enabled && !webhook.enabled;

    if (body.url !== undefined || body.events || body.keyId !== undefined || isEnabled) {
      const adopted = await refuseInvisible(repositories, { webhook, changed, body, call });
      if (adopted) Object.assign(changed, { keyId: adopted.id, isOperators: seesOperators(adopted) });
      else changed.isOperators ||= changed.events.some((type) => OPERATORS_TYPE.test(type));
    }
    if (isEnabled) await refuseClearing(repositories, webhook);

    const shown = toWebhookBody(changed);
    const previous = changedFields(toWebhookBody(webhook), shown);
    const isAdopted = changed.keyId !== webhook.keyId;
    if (!previous && !isAdopted) return { body: shown };
    await repositories.webhooks.update(changed);
    const change = isAdopted
      ? { object: { ...shown, keyId: changed.keyId }, previous: { ...previous, keyId: webhook.keyId } }
      : { object: shown, ...(previous && { previous }) };
    await repositories.events.append({ type: 'webhook.updated', ...change });
    return { body: shown };
  },
);
