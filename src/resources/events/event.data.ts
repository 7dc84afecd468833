import { z } from 'zod';
import { once } from '../../kernel/memo.ts';
import { exampleOf, extend } from '../../kernel/schema.ts';
import { categoryBody } from '../categories/category.ts';
import { keyBody } from '../keys/key.body.ts';
import { orderBody } from '../orders/order.ts';
import { petBody } from '../pets/pet.ts';
import { webhookBody } from './webhook.ts';

export type Fields = Record<string, unknown>;

export const examplesOf = (example: Fields | undefined) => (example ? { examples: [example] } : {});

/** What is told of a thing that was added or removed. */
const told = <Body extends z.ZodObject>(name: string, body: Body) =>
  z.object({ object: body }).meta({
    id: `${name}EventData`,
    description: 'The thing as it is now, or as it was when it was removed.',
    ...examplesOf(exampleOf(body) && { object: exampleOf(body) }),
  });

/** What is told of a thing that has changed. */
const changed = <Body extends z.ZodObject>(name: string, body: Body, previously: Fields) => {
  const previous = body.partial().meta({
    id: `Previous${name}`,
    description: 'The fields that changed, as they were.',
    examples: [previously],
  });
  return z.object({ object: body, previous }).meta({
    id: `${name}ChangeEventData`,
    description: 'The thing as it is after the change, and the changed fields as they were.',
    ...examplesOf(exampleOf(body) && { object: exampleOf(body), previous: previously }),
  });
};

const createUpdatedWebhook = () =>
  extend(
    webhookBody,
    {
      keyId: z
        .string()
        .optional()
        .meta({ description: 'The key by which is judged what it is told, if an operator gave it another.' }),
    },
    {
      id: 'UpdatedWebhook',
      description: 'A webhook, and its key if that changed.',
      ...examplesOf(exampleOf(webhookBody)),
    },
  );

/** What `data` of an event can be. Only the document needs it: made at the start it would hold the start up. */
export const eventData = once(() => ({
  petTold: told('Pet', petBody),
  petChanged: changed('Pet', petBody, { name: 'Max' }),
  orderTold: told('Order', orderBody),
  orderChanged: changed('Order', orderBody, { status: 'placed' }),
  categoryTold: told('Category', categoryBody),
  categoryChanged: changed('Category', categoryBody, { name: null }),
  keyTold: told('Key', keyBody),
  keyChanged: changed('Key', keyBody, { plan: 'free' }),
  webhookTold: told('Webhook', webhookBody),
  webhookChanged: changed('Webhook', createUpdatedWebhook(), { enabled: true, disabledReason: null }),
}));
