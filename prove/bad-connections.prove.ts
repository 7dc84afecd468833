import { afterAll, beforeAll, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof, type Tell } from './proof.ts';
import { openRaw, type Raw } from './raw-connection.ts';
import { seedOfRun } from './seeded.ts';

const MAX_MB = 400;
const SLOW = 5000;
const OPENED_TOGETHER = 200;
const MUTATED = LONG ? 20_000 : 1000;
const HEADERS_MB = 16;
const BODY_MB = 1024;
const CONCURRENCY = LONG ? 8 : 2;
const SLOW_EVERY_MS = 3000;
const HEAD_CUT_MS = 20_000;
const BODY_CUT_MS = 60_000;
const TENANT_MS = 1000;
const UNANSWERED_MS = 200;
/**
 * Statuses that do not count as failures of the service: 505 (unsupported HTTP version) and 503 (the machine is busy).
 */
const NO_FAILURE = ['505', '503'];
const REFUSED = ['400', '401', '413', '431', '503', 'cut'];
const MB = 1024 * 1024;
const CHUNK = Buffer.alloc(MB, 'a');

const workbench = createWorkbench();
let program: Program;
let origin: string;
beforeAll(async () => {
  program = workbench.start({
    directory: workbench.directory(),
    environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY },
  });
  origin = await program.origin();
});
afterAll(() => workbench.clear());

const connect = () => openRaw(Number(new URL(origin).port));

const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))?.[1]) / 1024;

const countPets = async (): Promise<number> => {
  const answer = await fetch(`${origin}/v1/store/inventory`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
  const counts = (await answer.json()) as Record<string, number>;
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
};

const startTenant = () => {
  const statuses = new Set<number>();
  let [longestMs, isOver] = [0, false];
  const asking = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      const answer = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
      await answer.arrayBuffer();
      statuses.add(answer.status);
      longestMs = Math.max(longestMs, performance.now() - sentAt);
      await Bun.sleep(5);
    }
  })();
  return async (tell: Tell): Promise<void> => {
    isOver = true;
    await asking;
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(peakMb()).toBeLessThanOrEqual(MAX_MB);
    tell.figure(`memory at most ${peakMb().toFixed(0)} MB`);
    tell.time('longest response to another caller meanwhile', longestMs, TENANT_MS);
  };
};

const inGroups = async <Each>(all: readonly Each[], atOnce: number, does: (each: Each) => Promise<void>) => {
  for (let at = 0; at < all.length; at += atOnce) await Promise.all(all.slice(at, at + atOnce).map(does));
};

const KEY = `Authorization: Bearer ${ADMIN_KEY}\r\n`;
const PET = '{"name":"Rex","categoryId":1}';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const WELL_FORMED = [
  `GET /v1/pets?limit=5&status=available HTTP/1.1\r\nHost: localhost\r\n${KEY}\r\n`,
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${KEY}${JSON_TYPE}Content-Length: ${PET.length}\r\n\r\n${PET}`,
  `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${KEY}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1d\r\n${PET}\r\n0\r\n\r\n`,
];

const change = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'insert', 'remove'),
  byte: fc.oneof(fc.constantFrom(...Buffer.from('\r\n\0 :;,/?#%0123456789aA-+\xff')), fc.nat({ max: 255 })),
});
const mutated = fc
  .record({ request: fc.constantFrom(...WELL_FORMED), changes: fc.array(change, { minLength: 1, maxLength: 6 }) })
  .map(({ request, changes }) => {
    const bytes = [...Buffer.from(request, 'latin1')];
    for (const { at, kind, byte } of changes) {
      bytes.splice(at % bytes.length, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]));
    }
    return Buffer.from(bytes);
  });

proof(
  `${MUTATED} requests with changed bytes: each gets an answer or loses its connection, and none causes a failure`,
  async (tell) => {
    const seed = seedOfRun();
    const stop = startTenant();
    const before = await countPets();
    const statuses: Record<string, number> = {};
    await inGroups(fc.sample(mutated, { numRuns: MUTATED, seed }), OPENED_TOGETHER, async (bytes) => {
      const connection = await connect();
      await connection.send(bytes);
      await Promise.race([connection.closed, connection.answered, Bun.sleep(UNANSWERED_MS)]);
      const status = connection.status() || (connection.it.isClosed ? 'cut' : 'waits');
      statuses[status] = (statuses[status] ?? 0) + 1;
      connection.end();
    });
    await stop(tell);
    tell.figure(`seed ${seed}`);
    tell.figure(
      Object.entries(statuses)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    );
    expect(Object.keys(statuses).filter((status) => status.startsWith('5') && !NO_FAILURE.includes(status))).toEqual(
      [],
    );
    expect(program.written.out).not.toContain('"status":500');
    expect((await countPets()) - before).toBeGreaterThanOrEqual(statuses['201'] ?? 0);
  },
);

const SLOW_WAYS: readonly { begins: string; continues: string }[] = [
  { begins: '', continues: '' },
  { begins: 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n', continues: '' },
  { begins: `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n${KEY}`, continues: 'X: y\r\n' },
];
/**
 * Only long runs send slow bodies, because the service waits longer for a body than for headers before it closes a
 * connection.
 */
const SLOW_BODY = `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${KEY}${JSON_TYPE}Content-Length: 60000\r\n\r\n`;
const LONG_WAYS = [...SLOW_WAYS, { begins: SLOW_BODY, continues: '' }, { begins: SLOW_BODY, continues: ' ' }];

proof(`${SLOW} connections that send almost nothing: all are closed, and others are still served`, async (tell) => {
  const ways = LONG ? LONG_WAYS : SLOW_WAYS;
  const stop = startTenant();
  const slow: Raw[] = [];
  const open = async (index: number) => {
    const { begins, continues } = ways[index % ways.length] as (typeof ways)[number];
    const connection = await connect();
    slow.push(connection);
    await connection.send(Buffer.from(begins));
    const going = setInterval(() => void connection.send(Buffer.from(continues)), SLOW_EVERY_MS);
    void connection.closed.then(() => clearInterval(going));
  };
  const openedAt = performance.now();
  await inGroups([...Array(SLOW).keys()], OPENED_TOGETHER, open);
  const stillOpen = () => slow.filter(({ it }) => !it.isClosed).length;
  const most = stillOpen();
  await waitFor('all are cut', stillOpen, (count) => count === 0);
  tell.time('all closed after', performance.now() - openedAt, LONG ? BODY_CUT_MS : HEAD_CUT_MS);
  tell.figure(`${most} open at the same time`);
  await stop(tell);
});

const HEAD = 'HTTP/1.1\r\nHost: localhost\r\n';

const pour = async (begins: string, chunk: Uint8Array, mb: number): Promise<{ status: string; takenMb: number }> => {
  const connection = await connect();
  await connection.send(Buffer.from(begins));
  for (let sent = 0; sent < mb && !connection.it.isClosed; sent += 1) await connection.send(chunk);
  await waitFor('it is answered or cut', () => connection.status() !== '' || connection.it.isClosed);
  connection.end();
  return { status: connection.status() || 'cut', takenMb: Math.round(connection.it.taken / MB) };
};

const TOO_MUCH: readonly [what: string, begins: string, chunk: Uint8Array, mb: number][] = [
  [`a header of ${HEADERS_MB} MB`, `GET /v1/pets ${HEAD}X: `, CHUNK, HEADERS_MB],
  [
    `many headers, ${HEADERS_MB} MB in total`,
    `GET /v1/pets ${HEAD}`,
    Buffer.from('X: y\r\n'.repeat(MB / 6)),
    HEADERS_MB,
  ],
  [`a target of ${HEADERS_MB} MB`, 'GET /v1/pets?', CHUNK, HEADERS_MB],
  [
    `a body of ${BODY_MB} MB`,
    `POST /v1/pets ${HEAD}${KEY}${JSON_TYPE}Content-Length: ${BODY_MB * MB}\r\n\r\n`,
    CHUNK,
    BODY_MB,
  ],
  [
    `chunks of ${BODY_MB} MB`,
    `POST /v1/pets ${HEAD}${KEY}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
    Buffer.concat([Buffer.from('100000\r\n'), CHUNK, Buffer.from('\r\n')]),
    BODY_MB,
  ],
  [
    `chunks of ${BODY_MB} MB without a key`,
    `POST /v1/pets ${HEAD}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
    Buffer.concat([Buffer.from('100000\r\n'), CHUNK, Buffer.from('\r\n')]),
    BODY_MB,
  ],
];

proof(
  `oversized headers, targets and bodies are refused or disconnected, ${CONCURRENCY} of each at a time`,
  async (tell) => {
    const stop = startTenant();
    const before = await countPets();
    for (const [what, begins, chunk, mb] of TOO_MUCH) {
      const seen = await Promise.all(Array.from({ length: CONCURRENCY }, () => pour(begins, chunk, mb)));
      const statuses = [...new Set(seen.map(({ status }) => status))].sort();
      tell.figure(
        `${what}: ${statuses.join(', ')}, at most ${Math.max(...seen.map(({ takenMb }) => takenMb))} MB accepted`,
      );
      expect(statuses.filter((status) => !REFUSED.includes(status))).toEqual([]);
    }
    await stop(tell);
    expect(await countPets()).toBe(before);
  },
);
