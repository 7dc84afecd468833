import { afterAll, beforeAll, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { send } from './crowd.ts';
import { LONG, proof } from './proof.ts';

const CONNECTIONS = 100;
const MS = LONG ? 10_000 : 700;
const WARM_UP_MS = 200;
const ADDRESSES = 1000;

const BURST_LINES = 500;
const LINES_PER_SECOND = 100;

const workbench = createWorkbench();

let program: Program;
let origin: string;
let startedAt: number;
beforeAll(async () => {
  const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_TRUST_PROXY: '127.0.0.1' };
  startedAt = performance.now();
  program = workbench.start({ directory: workbench.directory(), environment });
  origin = await program.origin();
});
afterAll(() => workbench.clear());

const call = async (isOver: () => boolean): Promise<string[]> => {
  const ids: string[] = [];
  while (!isOver()) {
    const answer = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
    await answer.text();
    ids.push(answer.headers.get('x-request-id') as string);
    await Bun.sleep(5);
  }
  return ids;
};

const from = (address: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`;

const addressOf = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
const many = (path: string): string[] => Array.from({ length: ADDRESSES }, (_, at) => from(addressOf(at), path));

const FLOODS: Readonly<Record<string, string[]>> = {
  'GET /healthz from one address': [from('192.0.2.1', '/healthz')],
  'missing pages from one address': [from('192.0.2.1', `/${'x'.repeat(200)}`)],
  [`missing pages from ${ADDRESSES} addresses`]: many('/nothing'),
  [`requests without a key from ${ADDRESSES} addresses`]: many('/v1/pets'),
};

type Line = { event: string; requestId?: string; keyId?: string; count?: number };

const linesSince = (start: number): Line[] => {
  const text = program.written.out.slice(start);
  return text
    .slice(0, text.lastIndexOf('\n'))
    .split('\n')
    .map((line) => JSON.parse(line));
};
const ofStrangers = (lines: readonly Line[]): number =>
  lines.filter(({ event, keyId }) => event === 'request' && keyId === undefined).length;

for (const [name, requests] of Object.entries(FLOODS)) {
  proof(`${name}: the log stays small, and contains a line for every request by a valid caller`, async ({ figure }) => {
    const before = program.written.out.length;
    let isOver = false;
    const crowd = send(origin, WARM_UP_MS, { connections: CONNECTIONS, requests, everyMs: 0 }, MS).finally(() => {
      isOver = true;
    });
    const ids = await call(() => isOver);
    const { statuses } = await crowd;
    const sent = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    await waitFor('the last line is in the log', () => program.written.out.includes(`${ids.at(-1)}"`));
    const seconds = (performance.now() - startedAt) / 1000;
    const lines = linesSince(before);
    const logged = new Set(lines.map(({ requestId }) => requestId));
    const kilobytes = Math.round((program.written.out.length - before) / 1000);
    figure(`${sent} requests in ${MS} ms: ${ofStrangers(lines)} lines; the log grew by ${kilobytes} KB in total`);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => !logged.has(id))).toEqual([]);
    expect(ofStrangers(linesSince(0))).toBeLessThan(BURST_LINES + LINES_PER_SECOND * seconds);
  });
}

proof('the log reports how many lines were suppressed', async ({ figure }) => {
  program.signal('SIGTERM');
  await program.ended();
  const suppressed = linesSince(0).filter(({ event }) => event === 'request_lines_suppressed');
  figure(
    `${suppressed.reduce((sum, { count = 0 }) => sum + count, 0)} lines suppressed; reports in the log: ${suppressed.length}`,
  );
  expect(suppressed.length).toBeGreaterThan(0);
});
