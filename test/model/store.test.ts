import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nextTurn } from '../../src/kernel/runtime.ts';
import { PROPERTY_TIMEOUT_MS } from '../property-runs.ts';
import { ADMIN_KEY, startService } from '../service.ts';
import { callers, createScribe, drafts, sendAll } from './batch.ts';
import { expectApi } from './expect-api.ts';
import { createExplainer } from './explain.ts';
import { expectRows, readSnapshot } from './snapshot.ts';
import { ask, type Step } from './step.ts';
import { createStoreModel } from './store-model.ts';

const OWN_STEPS = Math.max(2_500, Number(process.env.PETSTORE_CASES || 0));
const HOLD_MS = 3_600_000;

const batch = fc.record({
  drafts,
  callers,
  waitMs: fc.constantFrom(0, 0, 0, 1, HOLD_MS / 2, HOLD_MS - 1, HOLD_MS),
  isBusy: fc.boolean(),
});
const batches = fc.array(batch, { minLength: 1, maxLength: 24, size: 'max' });

type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value : never;

const drive = async (given: readonly Batch[]): Promise<number> => {
  const service = await startService();
  const path = service.place;
  const model = createStoreModel({ holdMs: HOLD_MS });
  const explain = createExplainer(model);
  const scribe = createScribe(model);
  let steps = 0;
  let seen = 0;
  try {
    for (const { drafts, callers, waitMs, isBusy } of given) {
      service.clock.advance(waitMs);
      let left = drafts.length;
      const send = async (step: Step) => {
        const one = await ask(service.url(''), ADMIN_KEY, step);
        left -= 1;
        return one;
      };
      const work = async () => {
        while (isBusy && left > 0) {
          await service.runJobs();
          // Lets waiting requests run. On SQLite, a job that finds no work does not yield to the event loop.
          await nextTurn();
        }
      };
      const [asked] = await Promise.all([sendAll(drafts.map(scribe), callers, send), work()]);
      steps += asked.length;
      const snapshot = await readSnapshot(path, seen);
      const isSideBySide = path.startsWith('postgres:');
      explain({ asked, ...snapshot, since: service.clock(), until: service.clock(), isSideBySide });
      expectRows(model, snapshot, service.clock());
      seen = snapshot.sequence.last;
    }
    await expectApi(model, { origin: service.url(''), key: ADMIN_KEY, path });
    return steps;
  } finally {
    await service.stop();
  }
};

test(
  `${OWN_STEPS} concurrent requests match a sequential order in a simple model`,
  async () => {
    let taken = 0;
    let hasFailed = false;
    const run = fc.asyncProperty(batches, async (given) => {
      // After a failure, fast-check looks for a smaller example that fails. The limit on steps must not stop this
      // search.
      if (taken >= OWN_STEPS && !hasFailed) return;
      try {
        taken += await drive(given);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    });
    await fc.assert(run, {
      unbiased: true,
      numRuns: Math.ceil(OWN_STEPS / 100),
      interruptAfterTimeLimit: PROPERTY_TIMEOUT_MS / 2,
    });
    expect(taken).toBeGreaterThanOrEqual(OWN_STEPS);
  },
  PROPERTY_TIMEOUT_MS,
);
