import { afterAll, beforeAll, expect } from 'bun:test';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench, type Program } from '../test/program.ts';
import { send } from './crowd.ts';
import { processorUsOf } from './processor.ts';
import { LONG, proof } from './proof.ts';

const CONNECTIONS = 1500;
const MS = LONG ? 5000 : 1500;
const WARM_UP_MS = 500 + CONNECTIONS / 4;

const COUNTED_PER_MINUTE = 2 * 600;
const MINUTE_MS = 60_000;

/**
 * Maximum processor time, in ms, that the service may use while a valid request waits. Without limits on refusals, the
 * service used 15 ms.
 */
const MAX_WAIT_MS = 3;

const http = (line: string, host = 'localhost'): string => `${line} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

const REFUSALS: Readonly<Record<string, string>> = {
  'two hosts under /v1': http('GET /v1/pets', 'a,b'),
  'PUT /healthz': http('PUT /healthz'),
  'two hosts on a page': http('GET /', 'a,b'),
  'a missing page': http('GET /nothing'),
  'GET /mcp': http('GET /mcp'),
};

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

const waits = async (isOver: () => boolean): Promise<number[]> => {
  const spent: number[] = [];
  while (!isOver()) {
    const before = processorUsOf(program.child.pid);
    const answer = await fetch(`${origin}/v1/pets`, { headers: { Authorization: `Bearer ${ADMIN_KEY}` } });
    await answer.text();
    expect(answer.status).toBe(200);
    spent.push((processorUsOf(program.child.pid) - before) / 1000);
    await Bun.sleep(5);
  }
  return spent.toSorted((one, other) => one - other);
};
const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? Number.NaN;

const flood = async (requests: readonly string[], ms: number) => {
  let isOver = false;
  const callers = { connections: CONNECTIONS, requests, everyMs: 0 };
  const crowd = send(origin, WARM_UP_MS, callers, ms).finally(() => {
    isOver = true;
  });
  await Bun.sleep(WARM_UP_MS);
  const meanwhile = await waits(() => isOver);
  const { statuses } = await crowd;
  const counted = Object.entries(statuses).reduce((sum, [status, n]) => sum + (/4(?!29)\d\d/.test(status) ? n : 0), 0);
  return { meanwhile, counted, statuses };
};

proof(
  `${CONNECTIONS} connections from one address repeat refused requests as fast as they can: each counts against the address, and others are served`,
  async ({ figure, time }) => {
    const startedAt = performance.now();
    const until = performance.now() + MS / 2;
    const alone = median(await waits(() => performance.now() > until));
    for (const [name, request] of Object.entries(REFUSALS).slice(0, LONG ? undefined : 2)) {
      const { meanwhile, counted, statuses } = await flood([request], MS);
      const windows = 1 + Math.ceil((performance.now() - startedAt) / MINUTE_MS);
      expect(meanwhile.length).toBeGreaterThan(0);
      figure(
        `${name}: ${JSON.stringify(statuses)}, others waited for ${median(meanwhile).toFixed(2)} ms of processor time`,
      );
      time(`${name}: processor time that others waited:`, median(meanwhile), MAX_WAIT_MS);
      expect(counted).toBeLessThanOrEqual(windows * COUNTED_PER_MINUTE);
    }
    figure(`without the load, others waited for ${alone.toFixed(2)} ms`);
  },
);
