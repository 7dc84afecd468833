import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CONTRACTS } from '../src/contracts.ts';
import { connectAgent } from './agent.ts';
import { expectError } from './expect-answer.ts';
import { PROGRAM } from './program.ts';
import { ADMIN_KEY, type Service, STAGING, startService } from './service.ts';

let service: Service;
let clients: Client[] = [];
beforeEach(async () => {
  service = await startService({ environment: { ...STAGING, PETSTORE_TRUST_PROXY: '127.0.0.1' } });
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await service.stop();
});

const connect = async (key: string): Promise<Client> => {
  const client = await connectAgent(service, key);
  clients.push(client);
  return client;
};

const textOf = (result: any): string => result.content.map(({ text }: { text: string }) => text).join('\n');

describe('an agent', () => {
  test('adds a pet, reads it, and pages through a list with a cursor', async () => {
    const client = await connect(await service.issueKey());
    const added: any = await client.callTool({ name: 'createPet', arguments: { name: 'Łatek', categoryId: 1 } });
    expect(added.structuredContent).toMatchObject({ name: 'Łatek', status: 'available' });
    const read = await client.callTool({ name: 'listPets', arguments: { ids: [added.structuredContent.id] } });
    expect(JSON.parse((read.content as any)[0].text)).toEqual([added.structuredContent]);
    expect(read.structuredContent).toEqual({ rows: [added.structuredContent] });

    for (const name of ['Rex', 'Tom', 'Ida'])
      await client.callTool({ name: 'createPet', arguments: { name, categoryId: 1 } });
    const page: any = await client.callTool({ name: 'listPets', arguments: { limit: 2 } });
    const first = textOf(page);
    const [, cursor] = /cursor (\S+)$/m.exec(first) ?? [];
    expect(page.structuredContent).toEqual({ rows: JSON.parse(first.split('\n')[0] ?? ''), nextCursor: cursor });
    const second = textOf(await client.callTool({ name: 'listPets', arguments: { limit: 2, cursor } }));
    expect(JSON.parse(second.split('\n')[0] ?? '')).toHaveLength(2);
    expect(second.split('\n')[0]).not.toBe(first.split('\n')[0]);
  });

  test('gets the service’s own error message for an invalid call', async () => {
    const client = await connect(await service.issueKey());
    const refused = await client.callTool({ name: 'createPet', arguments: { name: '', categoryId: 1 } });
    expect(refused.isError).toBeTrue();
    expect(JSON.parse(textOf(refused))).toMatchObject({ code: 'invalid_request', status: 400 });
    const callNobody = async (name: string) => textOf(await client.callTool({ name, arguments: {} }));
    expect(await callNobody('paintPet')).toBe('There is no tool paintPet. Call tools/list to see the tools.');
    expect(await callNobody('listPet')).toBe('There is no tool listPet. Did you mean listPets?');
  });

  test('learns the closest valid name for an unknown argument, and nothing is changed', async () => {
    const client = await connect(ADMIN_KEY);
    const refusalOf = async (name: string, given: Record<string, unknown>): Promise<string> => {
      const result = await client.callTool({ name, arguments: given });
      expect(result.isError).toBeTrue();
      return textOf(result);
    };
    expect(await refusalOf('listPets', { category: 'Dogs' })).toBe(
      'There is no argument category. Did you mean categoryId? ' +
        'The arguments are status, categoryId, ids, sort, name, search, limit, order, cursor.',
    );
    expect(await refusalOf('listPets', { colour: 'brown' })).toStartWith(
      'There is no argument colour. The arguments are',
    );
    expect(await refusalOf('getInventory', { status: 'sold' })).toBe('There is no argument status. Leave it out.');
    expect(await refusalOf('listPets', { toString: 'x' })).toContain('no argument toString');
    // Uses `JSON.parse` to create a property called `__proto__`, because an object literal would set the prototype
    // instead.
    expect(await refusalOf('listPets', JSON.parse('{"__proto__":1}'))).toContain('no argument __proto__');
    const nested = JSON.parse('{"pets":[{"name":"Rex","categoryId":1,"__proto__":{"a":1}}]}');
    expect(await refusalOf('createPetBatch', nested)).toContain('no argument pets[0].__proto__');
    const pets = [
      { name: 'Rex', categoryId: 1 },
      { name: 'Tom', categoryId: 1, statuz: 'sold' },
    ];
    expect(await refusalOf('createPetBatch', { pets })).toStartWith(
      'There is no argument pets[1].statuz. Did you mean status?',
    );
    const limits = { perMinute: 1, perDay: 1, perHour: 1 };
    expect(await refusalOf('createKey', { name: 'x', plan: 'enterprise', limits })).toContain('limits.perHour');
    expect((await service.get('/v1/pets')).body).toEqual([]);
    expect((await service.get('/v1/pets?category=Dogs')).status).toBe(200);
  });

  test('cannot call a tool that its key may not use, even by name', async () => {
    const client = await connect(await service.issueKey({ scopes: ['pets:read'] }));
    const refused = await client.callTool({ name: 'createPet', arguments: { name: 'Rex', categoryId: 1 } });
    expect(refused.isError).toBeTrue();
    expect(JSON.parse(textOf(refused))).toMatchObject({
      code: 'insufficient_scope',
      message: 'createPet needs a key with the `pets:write` scope. Ask the operator for a key with this scope.',
    });
  });

  test('reads the next step in the names of tools, not of requests', async () => {
    const client = await connect(ADMIN_KEY);
    const call = (name: string, given: Record<string, unknown>): Promise<any> =>
      client.callTool({ name, arguments: given });
    const messageOf = async (name: string, given: Record<string, unknown>): Promise<string> =>
      JSON.parse(textOf(await call(name, given))).message;
    const { structuredContent: pet } = await call('createPet', { name: 'Rex', categoryId: 1 });
    const { structuredContent: order } = await call('placeOrder', { petId: pet.id });
    const [petId, orderId] = [pet.id, order.id];
    expect(await messageOf('deliverOrder', { orderId })).toBe(
      `Order ${orderId} is \`placed\`; approve it before you deliver it (approveOrder with orderId ${orderId}).`,
    );
    expect(await messageOf('placeOrder', { petId })).toEndWith(
      'List available pets with listPets with status available.',
    );
    expect(await messageOf('deletePet', { petId })).toEndWith(`(cancelOrder with orderId ${orderId}).`);
    expect(await messageOf('getOrder', { orderId: 77 })).toEndWith('listOrders lists all orders.');
    const webhook = await call('createWebhook', { url: 'https://shop.example/hooks' });
    const webhookId = webhook.structuredContent.id;
    const given = { webhookId, deliveryId: `dlv_${'0'.repeat(24)}` };
    expect(await messageOf('redeliverEvent', given)).toEndWith('listDeliveries lists all deliveries.');
  });

  test('uses up the requests of its key, and learns when to retry', async () => {
    const limits = { perMinute: 2, perDay: 100 };
    const client = await connect(await service.issueKey({ plan: 'enterprise', limits }));
    for (let count = 0; count < 2; count += 1) {
      expect((await client.callTool({ name: 'listPets', arguments: {} })).isError).toBeUndefined();
    }
    const refused = await client.callTool({ name: 'listPets', arguments: {} });
    expect(refused.isError).toBeTrue();
    expect(textOf(refused)).toMatch(/rate_limit_exceeded.*\nRetry in \d+ seconds\./);
  });

  test('reads an integer beyond 2^53 exactly, and cannot send a rounded one', async () => {
    const key = await service.issueKey();
    await service.call('POST', '/v1/pets', { key, body: '{"name":"Rex","categoryId":9223372036854775807}' });
    const client = await connect(key);
    const read = await client.callTool({ name: 'listPets', arguments: { order: 'desc', limit: 1 } });
    expect(textOf(read)).toContain('"categoryId":9223372036854775807');
    const params = { name: 'listPets', arguments: { order: 'desc', limit: 1 } };
    const response = await fetch(service.url('/mcp'), {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    expect(text).toMatch(/"structuredContent":\{"rows":\[\{[^}]*"categoryId":9223372036854775807,/);
    const sent = { name: 'Rex', categoryId: Number('9223372036854775807') };
    const refused = await client.callTool({ name: 'createPet', arguments: sent });
    expect(refused.isError).toBeTrue();
    expect(textOf(refused)).toContain('categoryId is beyond 2^53');
    const inList = await client.callTool({ name: 'listPets', arguments: { ids: [2 ** 53] } });
    expect(textOf(inList)).toContain('ids is beyond 2^53');
  });

  test('learns what to change in arguments that cannot be sent in a request', async () => {
    const client = await connect(ADMIN_KEY);
    const call = async (name: string, given: object): Promise<string> => {
      const result = await client.callTool({ name, arguments: given as Record<string, unknown> });
      expect(result.isError).toBeTrue();
      return textOf(result);
    };
    const pet = { name: 'Rex', categoryId: 1 };
    expect(await call('getKeyUsage', { keyId: '..' })).toBe('keyId must be an id.');
    expect(await call('deletePet', {})).toBe('petId must be an id.');
    expect(await call('getPet', { petId: '\ud800' })).toContain('not_found');
    expect(await call('getPet', { petId: '1/history' })).toContain('not_found');
    expect(await call('listPets', { status: { toString: 1 } })).toContain('status: must be one of');
    expect(await call('createPet', { ...pet, 'Idempotency-Key': 'a\r\nX-Store: 2' })).toContain('visible ASCII');
  });

  test('adds a batch of pets', async () => {
    const client = await connect(await service.issueKey());
    const pets = Array.from({ length: 60 }, (_, count) => ({ name: `Rex ${count}`, categoryId: 1 }));
    const added = await client.callTool({ name: 'createPetBatch', arguments: { pets } });
    expect(JSON.parse((added.content as any)[0].text)).toHaveLength(60);
  });

  test('changes a pet only if it still has the version that the agent read', async () => {
    const client = await connect(await service.issueKey());
    const added: any = await client.callTool({ name: 'createPet', arguments: { name: 'Rex', categoryId: 1 } });
    const petId = added.structuredContent.id;
    const read = await client.callTool({ name: 'listPets', arguments: { ids: [petId] } });
    const [, version] = /^ETag: (.+)$/m.exec(textOf(read)) ?? [];
    const change = { petId, name: 'Max', 'If-Match': version };
    const changed = await client.callTool({ name: 'updatePet', arguments: change });
    expect(changed.structuredContent).toMatchObject({ name: 'Max' });
    const refused = await client.callTool({ name: 'updatePet', arguments: change });
    expect(JSON.parse(textOf(refused)).code).toBe('precondition_failed');
  });

  test('reads the documents as resources', async () => {
    const client = await connect(await service.issueKey());
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('petstore://openapi.json');
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect((contents[0] as { text: string }).text.length).toBeGreaterThan(100);
    }
    await expect(client.readResource({ uri: 'petstore://nothing' })).rejects.toThrow();
  });
});

describe('/mcp', () => {
  test('requires a valid key, and accepts only POST', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expectError(await service.post('/mcp', body, { key: null }), 'missing_api_key', 401);
    expectError(await service.post('/mcp', body, { key: 'ps_test_nothing' }), 'invalid_api_key', 401);
    const got = await service.get('/mcp');
    expectError(got, 'method_not_allowed', 405);
    expect(got.headers.get('allow')).toBe('POST');
  });

  test('accepts one message per request, within the limits of any other body', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expectError(await service.post('/mcp', [list, cancel]), 'invalid_request', 400);
    const deep = JSON.stringify({ ...list, params: 'deep' }).replace(
      '"deep"',
      `${'['.repeat(1000)}${']'.repeat(1000)}`,
    );
    expectError(await service.call('POST', '/mcp', { body: deep }), 'invalid_json', 400);
    expectError(await service.post('/mcp', { ...list, params: { a: 'a'.repeat(70_000) } }), 'payload_too_large', 413);
    expectError(await service.call('POST', '/mcp', { body: '{' }), 'invalid_json', 400);
  });

  test('refuses other origins with 403, and answers its own origin and requests without one', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const ask = (headers: Record<string, string>, key?: string | null) =>
      service.post('/mcp', list, { ...(key === undefined ? {} : { key }), headers });
    const { host } = new URL(service.url('/'));
    for (const headers of [
      { Origin: 'https://elsewhere.example' },
      { Origin: 'http://elsewhere.example', Host: 'elsewhere.example' },
      { Origin: 'null' },
    ]) {
      for (const key of [undefined, null]) {
        const { status, body } = await ask(headers, key);
        expect([status, body.jsonrpc, 'id' in body, body.error.message]).toEqual([
          403,
          '2.0',
          false,
          expect.stringContaining('Origin'),
        ]);
      }
    }
    expect((await ask({})).status).not.toBe(403);
    expect((await ask({ Origin: `http://${host}` })).status).not.toBe(403);
  });

  test('accepts 600 requests a minute per key, from any number of addresses', async () => {
    const ask = (count: number) =>
      service.post('/mcp', {}, { headers: { 'X-Forwarded-For': `192.0.2.${count % 5}` } }).then(({ status }) => status);
    const statuses = await Promise.all(Array.from({ length: 601 }, (_, count) => ask(count)));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  test('forbids caching of responses, which may contain a new key', async () => {
    const { headers } = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('records the address of the caller in the audit trail', async () => {
    const client = await connect(ADMIN_KEY);
    await client.callTool({ name: 'createKey', arguments: { name: 'made by an agent', plan: 'free' } });
    const { body } = await service.get('/v1/audit?order=desc&limit=1');
    expect(body[0]).toMatchObject({ type: 'key.created', address: '127.0.0.1' });
  });
});

describe('petstore mcp', () => {
  const start = async (url: string, key: string, flags: string[] = []): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const [command = '', ...words] = PROGRAM;
    const env = { ...(process.env as Record<string, string>), PETSTORE_URL: url, PETSTORE_API_KEY: key };
    await client.connect(new StdioClientTransport({ command, args: [...words, 'mcp', ...flags], env }));
    clients.push(client);
    return client;
  };

  test('offers the same tools on standard input and output', async () => {
    const client = await start(service.url(''), await service.issueKey({ scopes: ['pets:read', 'pets:write'] }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('createPet');
    expect(tools.map(({ name }) => name)).not.toContain('placeOrder');
    expect(tools.map(({ name }) => name)).not.toContain('getPet');
    const added: any = await client.callTool({ name: 'createPet', arguments: { name: 'Rex', categoryId: 1 } });
    expect(added.structuredContent).toMatchObject({ name: 'Rex', status: 'available' });
    const refused = await client.callTool({ name: 'createKey', arguments: { name: 'x', plan: 'free' } });
    expect(textOf(refused)).toContain('insufficient_scope');
    const unknown = await client.callTool({
      name: 'listPets',
      arguments: JSON.parse('{"__proto__":{"a":1},"limit":1}'),
    });
    expect(textOf(unknown)).toContain('no argument __proto__');
    // With `..` as the id, the URL would become the path of another operation.
    const usage = await client.callTool({ name: 'getKeyUsage', arguments: { keyId: '..' } });
    expect(textOf(usage)).toBe('keyId must be an id.');
  });

  test('lists the tool of the sandbox only on staging', async () => {
    const production = await startService();
    const namesFor = async ({ url, issueKey }: Service) => {
      const { tools } = await (await start(url(''), await issueKey())).listTools();
      return tools.map(({ name }) => name);
    };
    expect(await namesFor(service)).toContain('resetSandbox');
    expect(await namesFor(production)).not.toContain('resetSandbox');
    await production.stop();
  });

  test('lists deprecated tools with --deprecated, and refuses other arguments', async () => {
    const client = await start(service.url(''), ADMIN_KEY, ['--deprecated']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('getPet');
    const program = Bun.spawn([...PROGRAM, 'mcp', '--all'], { stdout: 'ignore', stderr: 'pipe' });
    expect(await new Response(program.stderr).text()).toContain('petstore mcp takes only --deprecated');
    expect(await program.exited).not.toBe(0);
  });

  test('explains what to change in a call that is too long', async () => {
    const client = await start(service.url(''), ADMIN_KEY);
    const refusalOf = async (name: string, given: Record<string, unknown>): Promise<string> => {
      const refused = await client.callTool({ name, arguments: given });
      expect(refused.isError).toBeTrue();
      return textOf(refused);
    };
    const long = 'x'.repeat(5_000_000);
    expect(await refusalOf('getPet', { petId: long })).toBe(
      'petId is too long. Send at most 8192 bytes, percent-encoded.',
    );
    expect(await refusalOf('listPets', { name: '鳥'.repeat(1000) })).toContain('name is too long');
    expect(await refusalOf('createPet', { name: long, categoryId: 1 })).toContain('at most 64 KiB (65,536 bytes)');
    expect(await refusalOf('createPetBatch', { pets: [{ name: long }] })).toContain('at most 1 MiB (1,048,576 bytes)');
    expect((await client.callTool({ name: 'listPets', arguments: {} })).isError).toBeUndefined();
  });

  test('gives a reason even if the server sends only a status', async () => {
    let status = 431;
    const bare = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(null, { status }) });
    const client = await start(`http://127.0.0.1:${bare.port}`, 'any-key');
    expect(textOf(await client.callTool({ name: 'listPets', arguments: {} }))).toContain(
      'the arguments are too long for one request (status 431). Send less',
    );
    status = 502;
    const refused = await client.callTool({ name: 'listPets', arguments: {} });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      'The request failed with status 502 and no message. Check PETSTORE_URL and any proxy in between.',
    ]);
    await bare.stop(true);
  });

  test('ends with a reason when a message is longer than it can read', async () => {
    const [command = '', ...words] = PROGRAM;
    const env = { ...(process.env as Record<string, string>), PETSTORE_URL: service.url(''), PETSTORE_API_KEY: 'a' };
    const program = Bun.spawn([command, ...words, 'mcp'], { env, stdin: 'pipe', stdout: 'ignore', stderr: 'pipe' });
    Promise.resolve(program.stdin.write('x'.repeat(11 * 1024 * 1024))).catch(() => undefined);
    const written = await new Response(program.stderr).text();
    expect([await program.exited, written]).toEqual([1, expect.stringContaining('send less in one call')]);
  });

  test('lists its tools while the service is down, and a call explains what to do', async () => {
    const client = await start('http://127.0.0.1:1', 'any-key');
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    const refused = await client.callTool({ name: 'listPets', arguments: {} });
    expect(refused.isError).toBeTrue();
    expect(textOf(refused)).toContain('No response from http://127.0.0.1:1. Start the service, or set PETSTORE_URL');
  });
});

test('/llms.txt lists every operation with its method and path', async () => {
  const { text, headers } = await service.get('/llms.txt', { key: null });
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  for (const { method, path, id } of CONTRACTS) expect(text).toContain(`\`${method} /v1${path}\` (${id})`);
});
