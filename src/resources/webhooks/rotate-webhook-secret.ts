import { makeWebhookSecret } from '../../delivery/signature.ts';
import type { RandomBytes } from '../../kernel/ids.ts';
import { writes } from '../../kernel/operation.ts';
import { toWebhookBody } from './webhook.ts';
import { rotateWebhookSecretContract } from './webhooks.contracts.ts';
import { lockWebhook, type WebhookRepositories } from './webhooks.repository.ts';

/** Deliveries are signed with both secrets for this long, so that receivers can switch without losing events. */
const GRACE_MS = 24 * 3_600_000;

export const rotateWebhookSecret = writes(
  rotateWebhookSecretContract,
  async (repositories: WebhookRepositories, { path }, call, { randomBytes }: { randomBytes: RandomBytes }) => {
    const webhook = await lockWebhook(repositories.webhooks, path.webhookId, call);
    const secret = makeWebhookSecret(randomBytes);
    await repositories.webhooks.replaceSecret(webhook.id, secret, repositories.now() + GRACE_MS);
    const shown = toWebhookBody(webhook);
    await repositories.events.append({ type: 'webhook.updated', object: shown, previous: {} });
    return { body: { ...shown, secret } };
  },
);
