import { afterAll, expect, test } from 'bun:test';
import { slowSync } from '../bench/slow-sync.ts';
import { createWorkbench } from './program.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const SYNC_MS = 150;

const slow = await slowSync(bench.directory(), SYNC_MS * 1000);

test.skipIf(!slow)(
  'a write is answered after the sync of the disk, and until then everyone reads what was there before',
  async () => {
    const directory = bench.directory();
    const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
    // The file is made on a fast disk: to make it takes many syncs.
    const first = bench.start({ directory, environment });
    await first.origin();
    first.signal('SIGTERM');
    await first.ended();

    const origin = await bench.start({ directory, environment: { ...environment, ...slow } }).origin();
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const list = async () => (await (await fetch(`${origin}/v1/pets`, { headers })).json()) as unknown[];
    const add = async () => {
      const beganAt = performance.now();
      const request = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' };
      const { status } = await fetch(`${origin}/v1/pets`, request);
      return { status, tookMs: performance.now() - beganAt };
    };
    // The first write of a log is synced by SQLite itself.
    await add();

    const beganAt = performance.now();
    const writing = add();
    const read: number[] = [];
    while (performance.now() - beganAt < SYNC_MS * 0.8) read.push((await list()).length);
    const { status, tookMs } = await writing;
    expect(status).toBe(201);
    expect(tookMs).toBeGreaterThanOrEqual(SYNC_MS);
    expect(read.length).toBeGreaterThan(5);
    expect(new Set(read)).toEqual(new Set([1]));
    expect(await list()).toHaveLength(2);
  },
  30_000,
);
