import { expect, test } from 'bun:test';
import type { Answer, Caller } from '../../kernel/operation.ts';
import { createPetBatchContract } from '../../resources/pets/pets.contracts.ts';
import type { RequestContext } from '../context.ts';
import { createOperationHandler } from '../routes.ts';
import { serveBatch } from '../serve-batch.ts';

const callerOf = (keyId: string): Caller => ({
  keyId,
  storeId: 1n,
  scopes: [],
  limits: { perMinute: 1, perDay: 1 },
  endsAt: null,
});

test('at most 8 batches per caller and 32 in total are served at a time; others get 503 with Retry-After', async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const operation = createOperationHandler(createPetBatchContract, () => promise);
  const send = async (keyId: string): Promise<unknown> => {
    const body = '{"pets":[{"name":"Rex","categoryId":1}]}';
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request('http://localhost/v1/pets/batch', { method: 'POST', headers, body });
    const context = {
      request,
      params: {},
      queryText: '',
      path: '/v1/pets/batch',
      base: '',
    } as unknown as RequestContext;
    const batch = operation.batch as NonNullable<typeof operation.batch>;
    return serveBatch(operation, batch, context, callerOf(keyId), async () => undefined).then(
      ({ status }) => status,
      ({ code, message, retryAfterSeconds }) => [code, message, retryAfterSeconds],
    );
  };
  const taken = ['a', 'b', 'c', 'd'].flatMap((keyId) => Array.from({ length: 8 }, () => send(keyId)));
  expect(await send('a')).toEqual(['unavailable', 'Send at most 8 batches at a time. Try again in 1 second.', 1]);
  expect(await send('e')).toEqual(['unavailable', 'Too many batches are in progress. Try again in 1 second.', 1]);
  resolve({ body: [] });
  expect(new Set(await Promise.all(taken))).toEqual(new Set([201]));
  expect(await send('a')).toBe(201);
});
