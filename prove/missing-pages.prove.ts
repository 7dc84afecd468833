import { afterAll, beforeAll, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench } from '../test/program.ts';
import { LONG, proof } from './proof.ts';

const SENT = LONG ? 12_000 : 1200;
const CONCURRENCY = 100;

const workbench = createWorkbench();
let origin: string;
beforeAll(async () => {
  const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
  origin = await workbench.start({ directory: workbench.directory(), environment }).origin();
});
afterAll(() => workbench.clear());

type Ask = { method?: string; key?: string; body?: string };

const statusOf = async (path: string, { method = 'GET', key, body }: Ask = {}): Promise<number> => {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(key && { Authorization: `Bearer ${key}` }),
  };
  const answer = await fetch(`${origin}${path}`, { method, headers, ...(body && { body }) });
  await answer.arrayBuffer();
  return answer.status;
};

const exhaust = async (path: string, ask: Ask = {}): Promise<Record<number, number>> => {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < SENT; sent += CONCURRENCY) {
    for (const status of await Promise.all(Array.from({ length: CONCURRENCY }, () => statusOf(path, ask)))) {
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  return statuses;
};

const others = async (): Promise<Record<string, number>> => {
  const statuses: Record<string, number> = {};
  for (const path of ['/', '/docs', '/console', '/openapi.json', '/llms.txt', '/healthz']) {
    statuses[path] = await statusOf(path);
  }
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  statuses['/mcp'] = await statusOf('/mcp', { method: 'POST', key: ADMIN_KEY, body });
  statuses['/metrics'] = await statusOf('/metrics', { key: ADMIN_KEY });
  return statuses;
};

const refused = (statuses: Record<string, number>): string[] =>
  Object.entries(statuses).flatMap(([path, status]) => (status === 429 ? [path] : []));

proof(
  `${SENT} requests for missing pages from one address do not stop others at that address from reading every page`,
  async ({ figure }) => {
    const missing = await exhaust('/nothing');
    const wrongMethods = await exhaust('/healthz', { method: 'PUT' });
    const invalidKeys = await exhaust('/metrics', { key: 'ps_live_nothing' });
    const shown = await others();
    figure(
      `404: ${missing[404]}, 405: ${wrongMethods[405] ?? 0}, 401: ${invalidKeys[401] ?? 0}; refused after that: ${refused(shown).length} of ${Object.keys(shown).length} pages`,
    );
    expect(refused(shown)).toEqual([]);
    expect(missing[429]).toBeGreaterThan(0);
  },
);

proof(
  'once an address has used up its limit on pages, its callers with a valid key can still read pages',
  async ({ figure }) => {
    const pages = await exhaust('/llms.txt');
    const shown = await others();
    figure(
      `200: ${pages[200]}, 429: ${pages[429]}; pages still readable: ${Object.keys(shown).length - refused(shown).length} of ${Object.keys(shown).length}`,
    );
    expect(pages[429]).toBeGreaterThan(0);
    expect([shown['/mcp'], shown['/metrics'], shown['/healthz']]).toEqual([200, 200, 200]);
  },
);
