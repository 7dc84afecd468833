import { z } from 'zod';
import { categoryBody } from '../categories/category.ts';
import { keyBody } from '../keys/key.body.ts';
import { orderBody } from '../orders/order.ts';
import { petBody } from '../pets/pet.ts';
import { webhookBody } from './webhook.ts';

export type Fields = Record<string, unknown>;

export const exampleOf = (schema: z.ZodType) => (schema.meta()?.examples as Fields[] | undefined)?.[0];

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

const bannedKey = keyBody
  .extend({
    bannedUntil: z.iso.datetime().meta({ description: 'When the ban ends.', examples: ['2026-11-15T12:02:00.000Z'] }),
  })
  .meta({
    id: 'BannedKey',
    description: 'A key, and when its ban ends.',
    ...examplesOf(exampleOf(keyBody) && { ...exampleOf(keyBody), bannedUntil: '2026-11-15T12:02:00.000Z' }),
  });

const updatedWebhook = webhookBody
  .extend({
    keyId: z
      .string()
      .optional()
      .meta({ description: 'The key by which is judged what it is told, if an operator gave it another.' }),
  })
  .meta({
    id: 'UpdatedWebhook',
    description: 'A webhook, and its key if that changed.',
    ...examplesOf(exampleOf(webhookBody)),
  });

export const petTold = told('Pet', petBody);
export const petChanged = changed('Pet', petBody, { name: 'Max' });
export const orderTold = told('Order', orderBody);
export const orderChanged = changed('Order', orderBody, { status: 'placed' });
export const categoryTold = told('Category', categoryBody);
export const categoryChanged = changed('Category', categoryBody, { name: null });
export const keyTold = told('Key', keyBody);
export const keyChanged = changed('Key', keyBody, { plan: 'free' });
export const keyBanned = told('BannedKey', bannedKey);
export const webhookTold = told('Webhook', webhookBody);
export const webhookChanged = changed('Webhook', updatedWebhook, { enabled: true, disabledReason: null });
