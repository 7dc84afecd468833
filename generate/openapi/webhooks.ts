import type { z } from 'zod';
import type { Json, SchemaOf } from './schemas.ts';
import { type Part, pascal } from './sharing.ts';

type Sent = Readonly<Record<string, z.ZodType>>;

/** Deliveries have their own tag, because the tag `Webhooks` is for the operations that manage webhooks. */
export const DELIVERY_TAG = {
  name: 'Event deliveries',
  description: 'Requests that the service sends to subscribed webhooks, signed according to Standard Webhooks 1.0.0.',
};

const header = (name: string, description: string, schema: Json): Part => ({
  name,
  value: { name, in: 'header', required: true, description, schema },
});

export const DELIVERY_HEADERS: readonly Part[] = [
  header('webhook-id', 'The id of the event, the same in every attempt. Use it to skip duplicates.', {
    type: 'string',
    pattern: '^evt_[0-9A-Za-z]{24}$',
    examples: ['evt_5fJq0Zy8wB2mT6xLk1NvR9cS'],
  }),
  header(
    'webhook-timestamp',
    'Time of the attempt, in Unix seconds. Reject deliveries whose timestamp is more than five minutes off.',
    {
      type: 'integer',
      format: 'int64',
      examples: [1794700800],
    },
  ),
  header(
    'webhook-signature',
    '`v1,` followed by the Base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The HMAC key is the part ' +
      "of the webhook's secret after `whsec_`, decoded from Base64. Several signatures are separated by spaces.",
    { type: 'string', examples: ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='] },
  ),
];

export const DELIVERY_ANSWERS: Readonly<Record<string, Part>> = {
  '2XX': {
    name: 'Accepted',
    value: {
      description:
        'Accepted. After any other response, or no response within 15 seconds, the service retries the delivery.',
    },
  },
  '410': { name: 'Gone', value: { description: 'The endpoint no longer exists. The service disables the webhook.' } },
};

type Placing = { schemaOf: SchemaOf; parameter(part: Part): Json; response(part: Part): Json };

export const webhooksOf = (sent: Sent, { schemaOf, parameter, response }: Placing): Json => {
  const answers = Object.entries(DELIVERY_ANSWERS).map(([status, part]) => [status, response(part)]);
  const deliveryOf = ([type, body]: [string, z.ZodType]) => [
    type,
    {
      post: {
        operationId: `${pascal(type).replace(/^./, (first) => first.toLowerCase())}Event`,
        tags: [DELIVERY_TAG.name],
        summary: type,
        description: body.meta()?.description,
        security: [],
        parameters: DELIVERY_HEADERS.map(parameter),
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } },
        responses: Object.fromEntries(answers),
      },
    },
  ];
  return Object.fromEntries(Object.entries(sent).map(deliveryOf));
};
