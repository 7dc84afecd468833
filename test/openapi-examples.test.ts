import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { EVENT_TYPES } from '../src/kernel/event.ts';
import { createDescription } from './described-answer.ts';
import { resolveReference } from './resolve-reference.ts';
import { type Service, startService } from './service.ts';

type Json = Record<string, any>;
type Operation = Json & { path: string; method: string };

let service: Service;
let document: Json;
beforeAll(async () => {
  service = await startService();
  document = (await service.get('/openapi.json', { key: null })).body;
});
afterAll(() => service.stop());

const resolve = (value: Json): Json => resolveReference(document, value);

const operations = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );

const placeOf = ({ method, path, operationId }: Operation): string => {
  const place = method === 'DELETE' ? 3 : method === 'POST' && !path.includes('{') ? 1 : 2;
  return `${place} ${operationId}`;
};

const AGAIN: Record<string, readonly string[]> = {
  deleteCategory: ['createCategory'],
  updateCategory: ['createCategory'],
  deliverOrder: ['placeOrder', 'approveOrder'],
  redeliverEvent: ['testWebhook'],
};

const inOrder = (): Operation[] => {
  const all = operations().sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const named = (id: string) => all.find(({ operationId }) => operationId === id) as Operation;
  return all.flatMap((operation) => [...(AGAIN[operation.operationId] ?? []).map(named), operation]);
};

const nameOf = ({ path, operationId }: Operation): string | undefined =>
  operationId === 'testWebhook'
    ? 'deliveryId'
    : operations()
        .map((other) => new RegExp(`^${path}/\\{(\\w+)\\}$`).exec(other.path)?.[1])
        .find((name) => name !== undefined);

const eventsAfter = async (seen: number): Promise<string[]> => {
  const { body } = await service.get('/v1/events?limit=100');
  return body.slice(seen).map(({ type }: Json) => type);
};

describe('the examples in the OpenAPI document', () => {
  test('work when sent, get the described responses, and write only the events that the descriptions name', async () => {
    const { expectDescribed } = createDescription(document);
    const values: Record<string, string> = { sequence: '1' };
    let seen = (await eventsAfter(0)).length;
    const wrong: string[] = [];
    for (const operation of inOrder()) {
      const { method, path, operationId, description, requestBody } = operation;
      const filled = `/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `no ${name}`)}`;
      const [content] = Object.values<Json>(resolve(requestBody ?? {}).content ?? {});
      const body = content?.example;
      expect(body).toEqual(content && resolve(content.schema).examples[0]);
      const answer = await service.call(method, filled, { body });
      if (answer.status >= 300) wrong.push(`${operationId}: ${answer.text}`);
      expectDescribed(method, filled, answer);
      const name = nameOf(operation);
      if (method === 'POST' && name) values[name] = String(answer.body.id);

      const written = await eventsAfter(seen);
      seen += written.length;
      const documented = EVENT_TYPES.filter((type) => description.split('Writes')[1]?.includes(`\`${type}\``));
      wrong.push(
        ...written.filter((type) => !documented.includes(type as never)).map((type) => `${operationId} writes ${type}`),
      );
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(15);
  });
});
