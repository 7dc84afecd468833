import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { CONTRACTS } from '../src/contracts.ts';
import { connectAgent } from './agent.ts';
import { ADMIN_KEY, type Service, STAGING, startService } from './service.ts';

let service: Service;
let clients: Client[] = [];
beforeEach(async () => {
  service = await startService({ environment: STAGING });
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await service.stop();
});

const connect = async (key: string, path?: string): Promise<Client> => {
  const client = await connectAgent(service, key, path);
  clients.push(client);
  return client;
};

const LISTED = CONTRACTS.filter(({ stream, deprecation }) => !stream && !deprecation);

test('an agent sees only the tools that its key may use', async () => {
  const client = await connect(await service.issueKey({ scopes: ['pets:read'] }));
  const { tools } = await client.listTools();
  const expected = LISTED.filter(({ scope }) => scope === 'any key' || scope === 'pets:read');
  expect(tools.map(({ name }) => name).sort()).toEqual(expected.map(({ id }) => id).sort());
});

test('an agent sees deprecated tools only on request, and can call them in any case', async () => {
  const deprecated = CONTRACTS.filter(({ deprecation }) => deprecation).map(({ id }) => id);
  expect(deprecated).toContain('getPet');
  const namesAt = async (path: string) => {
    const { tools } = await (await connect(ADMIN_KEY, path)).listTools();
    return tools.map(({ name }) => name).filter((name) => deprecated.includes(name));
  };
  expect(await namesAt('/mcp')).toEqual([]);
  expect(await namesAt('/mcp?deprecated=true')).toEqual(deprecated);
  const client = await connect(ADMIN_KEY);
  const added: any = await client.callTool({ name: 'createPet', arguments: { name: 'Rex', categoryId: 1 } });
  const petId = added.structuredContent.id;
  const read = await client.callTool({ name: 'getPet', arguments: { petId } });
  expect(read.structuredContent).toMatchObject({ id: petId, name: 'Rex' });
});

test('an agent spends at most 7,000 tokens on the list of all tools', async () => {
  const { tools } = await (await connect(ADMIN_KEY)).listTools();
  expect(tools).toHaveLength(LISTED.length);
  // The limit is 7,000 tokens, estimated at four bytes per token. OpenAI's o200k tokenizer counts slightly fewer
  // tokens.
  const bytes = Buffer.byteLength(JSON.stringify({ tools }));
  const sizes = tools.map((tool) => ({ name: tool.name, size: Buffer.byteLength(JSON.stringify(tool)) }));
  const longest = sizes.sort((a, b) => b.size - a.size).slice(0, 5);
  const advice = `Shorten texts in TASKS or HINTS (generate/mcp-tools.ts), or first sentences of descriptions. Longest: ${longest.map(({ name, size }) => `${name} ${size}`).join(', ')}`;
  expect(bytes, advice).toBeLessThan(7000 * 4);
});

test('an agent sees what each tool needs and whether it changes or deletes data', async () => {
  const client = await connect(ADMIN_KEY);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(LISTED.length);
  const find = (name: string) => tools.find((tool) => tool.name === name);
  expect(find('createPet')?.inputSchema.required).toEqual(['name', 'categoryId']);
  expect(find('updatePet')?.inputSchema.required).toEqual(['petId']);
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
  expect(destructive).toEqual(expect.arrayContaining(['cancelOrder', 'deliverOrder', 'resetSandbox', 'rotateKey']));
  const deletions = LISTED.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
  expect(deletions.length).toBeGreaterThan(2);
  expect(destructive).toEqual(expect.arrayContaining(deletions));
  for (const { name, description, inputSchema, annotations = {} } of tools) {
    const { method } = CONTRACTS.find(({ id }) => id === name) ?? {};
    // The protocol ignores `destructiveHint` for read-only tools, so they must not have it.
    expect({ name, keys: Object.keys(annotations) }).toEqual({
      name,
      keys: [method === 'GET' ? 'readOnlyHint' : 'destructiveHint'],
    });
    expect({ name, description }).toEqual({ name, description: expect.stringMatching(/^[A-Z].{15,250}\.$/) });
    expect(description).not.toMatch(
      /\b(?:GET|POST|PATCH|DELETE|HTTP|headers?|animals?)\b|`(?:Link|ETag)`|\b[345]\d\d\b/,
    );
    expect(inputSchema.additionalProperties).toBeFalse();
    expect(JSON.stringify(inputSchema)).not.toContain('#/components');
  }
});

test('an agent sees what each tool returns: one row, or rows and the cursor of the next page', async () => {
  const client = await connect(ADMIN_KEY);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(LISTED.length);
  for (const { name, outputSchema } of tools) {
    const { answer, paged } = LISTED.find(({ id }) => id === name) ?? {};
    const fields = Object.keys(outputSchema?.properties ?? {});
    expect({ name, hasFields: fields.length > 1 || fields[0] === 'rows' }).toEqual({
      name,
      hasFields: Boolean(answer?.body),
    });
    if (paged) expect({ name, fields }).toEqual({ name, fields: ['rows', 'nextCursor'] });
  }
  const row = { id: { type: 'integer' }, name: {}, pets: { type: 'integer' } };
  const rows = { type: 'array', items: { type: 'object', properties: row } };
  const pages = tools.find(({ name }) => name === 'listCategories')?.outputSchema;
  expect(pages).toEqual({ type: 'object', properties: { rows, nextCursor: { type: 'string' } } });
});

test('an agent gets results that fit the output schema of every tool that reads', async () => {
  const client = await connect(ADMIN_KEY);
  const call = async (name: string, given = {}): Promise<any> => {
    // `callTool` throws if the result does not match the tool's schema.
    const result: any = await client.callTool({ name, arguments: given });
    expect({ name, isError: result.isError }).toEqual({ name, isError: undefined });
    return result.structuredContent;
  };
  await client.listTools();
  const pet = await call('createPet', { name: 'Rex', categoryId: 1 });
  const order = await call('placeOrder', { petId: pet.id });
  const webhook = await call('createWebhook', { url: 'https://shop.example/hooks', events: ['webhook.test'] });
  const { storeId } = await call('getMyKey');
  const key = await call('createKey', { name: 'made by an agent', plan: 'free', storeId });
  await call('testWebhook', { webhookId: webhook.id });
  await call('createBackup');
  const ids: Record<string, unknown> = {
    petId: pet.id,
    orderId: order.id,
    categoryId: 1,
    webhookId: webhook.id,
    keyId: key.id,
    sequence: 1,
  };
  const reads = LISTED.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(15);
  for (const { id, input } of reads) {
    const given = Object.fromEntries(Object.keys(input.path ?? {}).map((name) => [name, ids[name]]));
    const { rows } = await call(id, given);
    if (rows && id !== 'listDeprecations') expect({ id, isEmpty: rows.length === 0 }).toEqual({ id, isEmpty: false });
  }
});
