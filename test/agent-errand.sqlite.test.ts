import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { SCOPES } from '../src/kernel/contract.ts';
import { connectAgent } from './agent.ts';
import { type Service, startService } from './service.ts';

/**
 * Plays the part of an AI agent that must sell the oldest dog and knows only what the tools return. The agent makes
 * mistakes that real agents have made, and each error message must lead it to the next step.
 */

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = await connectAgent(service, await service.issueKey({ scopes: [...SCOPES] }));
});
afterAll(async () => {
  await client.close();
  await service.stop();
});

type Given = Record<string, unknown>;

const call = async (name: string, given: Given = {}): Promise<{ error?: string; result: any }> => {
  const { isError, content, structuredContent }: any = await client.callTool({ name, arguments: given });
  return isError ? { error: content[0].text, result: undefined } : { result: structuredContent };
};

const mustCall = async (name: string, given: Given = {}): Promise<any> => {
  const { error, result } = await call(name, given);
  expect({ name, error }).toEqual({ name, error: undefined });
  return result;
};

const readStep = (error = ''): [name: string, given: Given] => {
  const [, name = '', argument = '', value = ''] = /\((\w+) with (\w+) (\w+)\)/.exec(error) ?? [];
  return [name, { [argument]: Number(value) }];
};

test('an agent sells the oldest dog from descriptions and errors alone', async () => {
  const [dogs, fish] = [1, 4];
  const add = async (name: string, categoryId: number, status = 'available') =>
    (await mustCall('createPet', { name, categoryId, status })).id;
  const nemo = await add('Nemo', fish);
  const laika = await add('Laika', dogs, 'sold');
  const rex = await add('Rex', dogs);
  const rover = await add('Rover', dogs);

  const { tools } = await client.listTools();
  const find = (name: string) => tools.find((tool) => tool.name === name);
  const filters: Record<string, any> = find('listPets')?.inputSchema.properties ?? {};
  const namedIn = (text: string | undefined, named: RegExp): string =>
    [...(text ?? '').matchAll(/\b[a-z]+[A-Z]\w+\b/g)]
      .map(([name]) => name)
      .find((name) => named.test(name) && find(name)) ?? '';

  const { error: unknown } = await call('listPets', { category: 'Dogs' });
  const [, filter = ''] = /Did you mean (\w+)\?/.exec(unknown ?? '') ?? [];
  expect(Object.keys(filters)).toContain(filter);

  expect((await call('listPets', { [filter]: 'Dogs' })).error).toContain(filter);
  const { rows: categories } = await mustCall(namedIn(filters[filter].description, /^list/));
  const { id } = categories.find(({ name }: { name: string }) => name === 'Dogs');

  expect(find('listPets')?.description).toContain('in the order they were added');
  const { rows } = await mustCall('listPets', { [filter]: id, status: filters.status.enum[0], limit: 1 });
  expect(rows).toEqual([{ id: rex, name: 'Rex', categoryId: dogs, status: 'available' }]);

  const first = namedIn(find('updatePet')?.description, /Order$/);
  expect(find(first)?.description).toStartWith('First step of a sale');
  const order = await mustCall(first, { petId: rows[0].id });

  const last = tools.find(({ description }) => description?.startsWith('Last step of a sale'))?.name ?? '';
  const { error: early } = await call(last, { orderId: order.id });
  const [next, given] = readStep(early);
  expect(await mustCall(next, given)).toMatchObject({ id: order.id, status: 'approved' });
  expect(await mustCall(last, { orderId: order.id })).toMatchObject({ id: order.id, petId: rex, status: 'delivered' });

  const { rows: after } = await mustCall('listPets', { ids: [nemo, laika, rex, rover] });
  expect(after.map(({ status }: { status: string }) => status)).toEqual(['available', 'sold', 'sold', 'available']);
  const { rows: orders } = await mustCall('listOrders');
  expect(orders).toHaveLength(1);
  const { error: again } = await call(first, { petId: rex });
  expect(again).toContain(`Pet ${rex} is \`sold\`, so it cannot be ordered. List available pets with listPets`);
});
