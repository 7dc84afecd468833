import { Database } from 'bun:sqlite';
import { afterAll, expect } from 'bun:test';
import { join } from 'node:path';
import { ADMIN_KEY } from '../test/admin-key.ts';
import { createWorkbench } from '../test/program.ts';
import { waitFor } from '../test/wait-for.ts';
import { LONG, proof } from './proof.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const CALLERS = 16;
const ROUNDS = LONG ? 20 : 1;
const BETWEEN = 50;
const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };

const startCallers = (origin: string) => {
  const acknowledged: string[] = [];
  const seen = { isDraining: false, unanswered: 0 };
  const call = async (_: unknown, caller: number): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const name = `caller ${caller}, turn ${turn}`;
      const wasSentBefore = !seen.isDraining;
      try {
        const request = { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1 }) };
        const answer = await fetch(`${origin}/v1/pets`, request);
        await answer.text();
        if (answer.status === 201) acknowledged.push(name);
      } catch {
        if (wasSentBefore) seen.unanswered += 1;
        return;
      }
    }
  };
  return { acknowledged, seen, ended: Promise.all(Array.from({ length: CALLERS }, call)) };
};

const startUnderLoad = async () => {
  const directory = bench.directory();
  const program = bench.start({ directory, environment: { PETSTORE_ADMIN_KEY: ADMIN_KEY } });
  const origin = await program.origin();
  const callers = startCallers(origin);
  const acknowledgeMore = async () => {
    const enough = callers.acknowledged.length + BETWEEN;
    await waitFor('more writes are acknowledged', () => {
      if (program.child.exitCode !== null || program.child.signalCode !== null)
        throw new Error(`the process ended: ${program.child.signalCode ?? program.child.exitCode}`);
      return callers.acknowledged.length >= enough;
    });
  };
  await acknowledgeMore();
  return { directory, program, origin, callers, acknowledgeMore };
};

const readNames = (directory: string): Set<string> => {
  const file = new Database(join(directory, 'data', 'petstore.db'), { readonly: true });
  try {
    return new Set((file.query('SELECT name FROM pets').all() as { name: string }[]).map(({ name }) => name));
  } finally {
    file.close();
  }
};

const stopUnderLoad = async (signal: NodeJS.Signals) => {
  const { directory, program, callers } = await startUnderLoad();
  callers.seen.isDraining = true;
  program.signal(signal);
  const { exitCode, out } = await program.ended();
  await callers.ended;
  const stored = readNames(directory);
  const lost = callers.acknowledged.filter((name) => !stored.has(name));
  const isWhole = out.includes(`"event":"stopping","signal":"${signal}"`) && out.includes('"event":"stopped"');
  return { exitCode, isWhole, lost, unanswered: callers.seen.unanswered, count: callers.acknowledged.length };
};

proof(
  'SIGHUP under load drains like SIGTERM: no acknowledged write is lost and every request is answered',
  async (tell) => {
    const counts: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
        const { count, ...outcome } = await stopUnderLoad(signal);
        expect({ signal, ...outcome }).toEqual({ signal, exitCode: 0, isWhole: true, lost: [], unanswered: 0 });
        counts[signal] = (counts[signal] ?? 0) + count;
      }
    }
    for (const [signal, count] of Object.entries(counts)) {
      tell.figure(
        `${signal}: ${ROUNDS} drained, 0 of ${count} acknowledged writes lost, 0 requests unanswered, exit code 0`,
      );
    }
  },
);

proof('SIGUSR1 and SIGUSR2 under load change nothing: the process keeps serving', async (tell) => {
  const { program, origin, callers, acknowledgeMore } = await startUnderLoad();
  let sent = 0;
  for (let round = 0; round < 5 * ROUNDS; round += 1) {
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      program.signal(signal);
      sent += 1;
      await acknowledgeMore();
    }
  }
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  expect(callers.seen.unanswered).toBe(0);
  tell.figure(`${sent} signals: ${callers.acknowledged.length} writes acknowledged, 0 requests unanswered`);
  callers.seen.isDraining = true;
  program.signal('SIGTERM');
  expect((await program.ended()).exitCode).toBe(0);
  await callers.ended;
});
