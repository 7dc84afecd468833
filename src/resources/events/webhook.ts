import { z } from 'zod';
import { EXAMPLE, instant } from '../../kernel/schema.ts';
import { eventType } from './event.ts';

const DISABLED_REASONS = ['gone', 'failing', 'key_ended', 'switched_off'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Webhook URL for examples. */
export const ENDPOINT = 'https://shop.example/hooks';

const disabledReason = z.enum(DISABLED_REASONS).meta({
  id: 'DisabledReason',
  description:
    'Why a webhook is off: the endpoint answered 410 (`gone`), nothing reached it for five days (`failing`), its key was ' +
    'revoked or has expired (`key_ended`), or somebody switched it off (`switched_off`).',
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

/** Defined here because events contain webhooks, and webhooks/ already depends on events/. */
export const webhookBody = z
  .object({
    id: z.string().meta({ description: 'The identifier of the webhook.' }),
    url: z.string().meta({ format: 'uri', description: 'Where events are sent.' }),
    events: z.array(eventType).meta({ description: 'What it is told of, as far as its key may read it.' }),
    enabled: z.boolean().meta({ description: 'Whether anything is sent.' }),
    disabledReason: disabledReason
      .nullable()
      .meta({ description: 'Why nothing is sent; null while it is switched on.' }),
    createdAt: instant.meta({ description: 'When it was added.' }),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that is told of events.', examples: [WEBHOOK] });
