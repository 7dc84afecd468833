import { z } from 'zod';
import { URL_PATTERN, urlFault } from '../../delivery/address.ts';
import type { BodyOf } from '../../kernel/contract.ts';
import { EVENT_TYPES, type EventType } from '../../kernel/event.ts';
import { EXAMPLE, exampleOf, extend, formatInstant, jsonObject, objectOf } from '../../kernel/schema.ts';
import { eventType } from '../events/event.ts';
import { type DisabledReason, ENDPOINT, webhookBody } from '../events/webhook.ts';
import { KEY_ID } from '../keys/key.body.ts';

export type Webhook = {
  id: string;
  url: string;
  events: readonly EventType[];
  enabled: boolean;
  disabledReason: DisabledReason | null;
  createdAt: number;
  /** The key whose scopes decide which events the webhook receives. */
  keyId: string;
  /**
   * True if the key had `keys:write` when it was assigned to the webhook, or if an event type for operators was added
   * to the webhook later. In both cases, keys without `keys:write` cannot see the webhook.
   */
  isOperators: boolean;
};

/**
 * `disabling`: some pending deliveries are not yet marked as failed. `removing`: some deliveries are not yet deleted.
 */
export type WebhookState = 'enabled' | 'disabling' | 'disabled' | 'removing';

export const webhookIdText = z
  .string()
  .regex(/^wh_[0-9A-Za-z]{24}$/)
  .meta({ description: 'The identifier of the webhook.', examples: [EXAMPLE.webhookId] });

const LONGEST_URL = 2048;
const URL_WORDS =
  'The endpoint that receives the events: a public `https` URL. Operators of closed networks can allow other URLs.';

const fields = {
  url: z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .max(LONGEST_URL, { error: `must be at most ${LONGEST_URL} characters long`, abort: true })
    .check((context) => {
      const message = urlFault(context.value);
      if (message) context.issues.push({ code: 'custom', message, input: context.value });
    })
    .meta({ format: 'uri', pattern: URL_PATTERN, description: URL_WORDS, examples: [ENDPOINT] }),
  events: z
    .array(eventType, { error: 'must be a list of event types' })
    .min(1, 'must contain at least one event type')
    .max(EVENT_TYPES.length, `must have at most ${EVENT_TYPES.length} event types`)
    .transform((types) => [...new Set(types)])
    .describe('Event types to send.'),
  enabled: z
    .boolean({ error: 'must be true or false' })
    .describe('Whether events are sent. Events that occur while the webhook is disabled are not sent later.'),
};

const NEW_WEBHOOK = { url: ENDPOINT, events: ['pet.created'] };

export const newWebhook = objectOf(NEW_WEBHOOK, 'WebhookCreation', 'A webhook to create.', {
  url: fields.url,
  events: fields.events
    .optional()
    .describe('Event types to send. Default: all pet, order and category events that the key may read.'),
});

const NO_KEY = 'must be the identifier of a key';
const keyId = z.string({ error: NO_KEY }).regex(KEY_ID, NO_KEY).meta({
  maxLength: 100,
  description: 'The key whose scopes determine which events are sent. Changing it requires the `keys:write` scope.',
});

export const webhookChange = jsonObject({ ...fields, keyId })
  .partial()
  .meta({
    id: 'WebhookChange',
    description: 'Changes to a webhook. Omitted fields stay as they are.',
    examples: [{ enabled: false }],
  });

export type WebhookChange = z.output<typeof webhookChange>;

export const webhookWithSecretBody = extend(
  webhookBody,
  {
    secret: z
      .string()
      .nullable()
      .describe('The secret that signs deliveries. Shown only once; null in a replayed response.'),
  },
  {
    id: 'WebhookWithSecret',
    description: 'A webhook with its secret.',
    examples: [{ ...exampleOf(webhookBody), secret: 'whsec_YW4gZXhhbXBsZTogbmV2ZXIgc2lnbiB3aXRoIHRoaXM=' }],
  },
);

export const toWebhookBody = (webhook: Webhook): BodyOf<typeof webhookBody> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  enabled: webhook.enabled,
  disabledReason: webhook.disabledReason,
  createdAt: formatInstant(webhook.createdAt),
});
