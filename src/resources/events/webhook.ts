import { z } from 'zod';
import { EXAMPLE, instant, objectOf } from '../../kernel/schema.ts';
import { eventType } from './event.ts';

const DISABLED_REASONS = ['gone', 'failing', 'key_ended', 'switched_off'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const ENDPOINT = 'https://shop.example/hooks';

const disabledReason = z.enum(DISABLED_REASONS).meta({
  id: 'DisabledReason',
  description:
    'Why a webhook is disabled: the endpoint responded with 410 (`gone`), every delivery failed for five days ' +
    '(`failing`), its key was revoked or expired (`key_ended`), or a request disabled it (`switched_off`).',
  examples: ['switched_off'],
});

const WEBHOOK = {
  id: EXAMPLE.webhookId,
  url: ENDPOINT,
  events: ['pet.created'],
  enabled: true,
  disabledReason: null,
  createdAt: EXAMPLE.time,
};

/** Defined here, because some events contain a webhook, and events/ must not import webhooks/. */
export const webhookBody = objectOf(WEBHOOK, 'Webhook', 'An endpoint that receives events.', {
  id: z.string().describe('The identifier of the webhook.'),
  url: z.string().meta({ format: 'uri', description: 'The endpoint that receives the events.' }),
  events: z.array(eventType).describe('Event types that the webhook receives, if its key may read them.'),
  enabled: z.boolean().describe('Whether events are sent.'),
  disabledReason: disabledReason.nullable().describe('Why the webhook is disabled; null while it is enabled.'),
  createdAt: instant.describe('When the webhook was created.'),
});
