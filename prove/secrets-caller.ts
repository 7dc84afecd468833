type Asked = { method?: string; key?: string; headers?: Record<string, string>; body?: unknown };

/**
 * Collects the text of all responses, so that the proof can search it for secrets. Leaves out responses that may show a
 * new secret.
 */
export const createCaller = (origin: string, adminKey: string) => {
  const kept = { text: '' };
  const ask = async (path: string, { method = 'GET', key = adminKey, headers = {}, body }: Asked = {}) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { text, shown: `${answer.status} ${JSON.stringify([...answer.headers])} ${text}\n` };
  };
  return {
    kept,
    ask: async (path: string, asked?: Asked): Promise<void> => {
      kept.text += (await ask(path, asked)).shown;
    },
    askOnce: async (path: string, body: object) => JSON.parse((await ask(path, { method: 'POST', body })).text),
  };
};

type Caller = ReturnType<typeof createCaller>;

export const lookAround = async (
  { ask }: Caller,
  { keyId, hookId }: { keyId: string; hookId: string },
): Promise<void> => {
  const pages = ['/', '/docs', '/openapi.json', '/llms.txt', '/healthz', '/readyz', '/metrics', '/nothing'];
  const lists = ['pets', 'keys', `keys/${keyId}`, 'keys/me', 'audit', 'events', 'usage', 'deprecations', 'webhooks'];
  const hook = [`webhooks/${hookId}`, `webhooks/${hookId}/deliveries`];
  for (const path of [...pages, ...[...lists, ...hook].map((list) => `/v1/${list}`)]) await ask(path);
  const call = (name: string, given: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  const accept = { Accept: 'application/json, text/event-stream' };
  for (const [name, given] of [
    ['listKeys', {}],
    ['getKey', { keyId }],
    ['listWebhooks', {}],
    ['listAudit', {}],
  ] as const) {
    await ask('/mcp', { method: 'POST', headers: accept, body: call(name, given) });
  }
};

export const misplace = async ({ ask }: Caller, secret: string): Promise<void> => {
  const path = encodeURIComponent(secret);
  const problem = { Accept: 'application/problem+json' };
  for (const headers of [{}, problem]) {
    await ask(`/v1/pets/${path}`, { headers });
    await ask(`/v1/${path}`, { headers });
    await ask(`/${path}`, { headers });
    await ask(`/v1/pets?limit=${path}`, { headers });
    await ask(`/v1/pets?cursor=${path}&api_key=${path}`, { headers });
    await ask('/v1/pets', { method: 'POST', headers, body: `{"name":"Rex","categoryId":"${secret}"}` });
    await ask('/v1/pets', { method: 'POST', headers, body: `{"name":"Rex" ${secret}` });
  }
  for (const name of [
    'X-Request-Id',
    'traceparent',
    'User-Agent',
    'Cookie',
    'If-Match',
    'Last-Event-ID',
    'Content-Type',
  ]) {
    await ask('/v1/pets', { headers: { [name]: secret } });
  }
  await ask('/v1/pets', { headers: { Authorization: `Basic ${btoa(`user:${secret}`)}` } });
  await ask('/v1/pets', { key: `${secret}x` });
  const params = { name: 'listPets', arguments: { limit: secret, cursor: secret } };
  await ask('/mcp', {
    method: 'POST',
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
};
