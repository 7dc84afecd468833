import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { readRows } from '../database.ts';
import { createWorkbench, type Program, until } from '../program.ts';
import { PROPERTY_TIMEOUT_MS } from '../property-runs.ts';
import { callers, createScribe, drafts, STEPS, sendAll } from './batch.ts';
import { expectApi } from './expect-api.ts';
import { createExplainer } from './explain.ts';
import { expectRows, readSnapshot } from './snapshot.ts';
import { type Asked, ask, isPost, type Step } from './step.ts';
import { createStoreModel } from './store-model.ts';

const bench = createWorkbench();
afterAll(bench.clear);

const OWN_STEPS = Math.ceil(STEPS * 0.15);
const ADMIN_KEY = 'an-admin-key-of-the-operator';
const HOLD_SECONDS = 1;
/** What the worker had under way at one look is told in the next. */
const UNDER_WAY_MS = 1_000;
/** How late the worker may free an animal. */
const EXPIRY_MS = 5_000;

const batch = fc.record({
  drafts,
  callers,
  /** The process is killed at this answer, or when all are in. */
  killAt: fc.option(fc.nat(24), { nil: undefined, freq: 2 }),
});
const batches = fc.array(batch, { minLength: 1, maxLength: 40, size: 'max' });

type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs the batches on the real program and the real clock, on one database however often the program is killed. */
const drive = async (given: readonly Batch[]): Promise<{ steps: number; kills: number }> => {
  const directory = bench.directory();
  const path = join(directory, 'data', 'petstore.db');
  const environment = { PETSTORE_ADMIN_KEY: ADMIN_KEY, PETSTORE_ORDER_HOLD_SECONDS: String(HOLD_SECONDS) };
  const model = createStoreModel({ holdMs: HOLD_SECONDS * 1000 });
  const explain = createExplainer(model);
  const scribe = createScribe(model);
  const total = { steps: 0, kills: 0 };
  let seen = 0;
  let since = Date.now();

  const start = async () => {
    const program = bench.start({ directory, environment });
    return { program, origin: await program.origin() };
  };
  let running = await start();

  const check = async (asked: readonly Asked[]) => {
    const snapshot = await readSnapshot(path, seen);
    const now = Date.now();
    explain({ asked, ...snapshot, since, until: now });
    expectRows(model, snapshot, now);
    seen = snapshot.sequence.last;
    since = now - UNDER_WAY_MS;
  };

  const killAndStart = async (program: Program) => {
    program.signal('SIGKILL');
    await program.ended();
    running = await start();
    total.kills += 1;
  };

  let cutOff: Step[] = [];
  for (const { drafts, callers, killAt } of given) {
    const { program, origin } = running;
    let answers = 0;
    const send = async (step: Step) => {
      if (answers === killAt) program.signal('SIGKILL');
      const asked = await ask(origin, ADMIN_KEY, step);
      answers += 1;
      if (answers === killAt) program.signal('SIGKILL');
      return asked;
    };
    // What was cut off is asked again under its idempotency key: the model knows whether it had happened.
    const asked = await sendAll([...cutOff, ...drafts.map(scribe)], callers, send);
    if (killAt !== undefined) await killAndStart(program);
    total.steps += asked.length;
    cutOff = asked.filter(({ step, heard }) => !heard && isPost(step)).map(({ step }) => step);
    await check(asked);
  }

  const allFree = async () =>
    (await readRows(path, `SELECT 1 FROM orders WHERE status = 'placed'`)).length === 0 || undefined;
  await until('every hold has ended', allFree, HOLD_SECONDS * 1000 + EXPIRY_MS);
  await check([]);
  await expectApi(model, { origin: running.origin, key: ADMIN_KEY, path });
  await running.program.kill();
  return total;
};

test(
  `${OWN_STEPS} requests amid random kills happen wholly or not at all, and never twice`,
  async () => {
    const taken = { steps: 0, kills: 0 };
    const run = fc.asyncProperty(batches, async (given) => {
      if (taken.steps >= OWN_STEPS) return;
      const { steps, kills } = await drive(given);
      taken.steps += steps;
      taken.kills += kills;
    });
    // Where a kill strikes is never the same twice: a smaller run would tell nothing of a failure.
    await fc.assert(run, { unbiased: true, endOnFailure: true, numRuns: Math.ceil(OWN_STEPS / 100) });
    expect(taken.steps).toBeGreaterThanOrEqual(OWN_STEPS);
    expect(taken.kills).toBeGreaterThan(OWN_STEPS / 200);
  },
  PROPERTY_TIMEOUT_MS,
);
