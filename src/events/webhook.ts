import { z } from 'zod';
import { eventType } from './event.ts';

/** A webhook as it is shown: here and not among the webhooks, because events come before them and tell of them. */
export const webhookBody = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventType),
    enabled: z.boolean(),
    disabledReason: z
      .string()
      .nullable()
      .meta({ description: 'Why nothing is sent: `gone`, `failing`, `key_ended` or `switched_off`.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that is told of events.' });
