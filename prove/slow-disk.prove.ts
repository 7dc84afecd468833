import { afterAll, describe, expect } from 'bun:test';
import { slowSync } from '../bench/slow-sync.ts';
import { createWorkbench } from '../test/program.ts';
import { proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const ADMIN_KEY = 'an-admin-key-of-the-operator';
const SYNC_MS = 150;

const slow = await slowSync(bench.directory(), SYNC_MS * 1000);

describe.skipIf(!slow)('a slow disk', () => {
  proof(
    'a write is acknowledged after the disk sync, and until then everyone reads the previous state',
    async ({ figure }) => {
      const directory = bench.directory();
      const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY };
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
      // Adds a first pet without measuring it, because SQLite itself syncs the first write to a new WAL.
      await add();

      const beganAt = performance.now();
      const writing = add();
      const read: number[] = [];
      for (;;) {
        const { length } = await list();
        if (performance.now() - beganAt >= SYNC_MS) break;
        read.push(length);
      }
      const { status, tookMs } = await writing;
      figure(`${read.length} reads during a sync of ${SYNC_MS} ms; write acknowledged after ${Math.round(tookMs)} ms`);
      expect(status).toBe(201);
      expect(tookMs).toBeGreaterThanOrEqual(SYNC_MS);
      expect(read).toEqual(read.map(() => 1));
      expect(await list()).toHaveLength(2);
    },
  );
});
