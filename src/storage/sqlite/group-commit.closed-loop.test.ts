import { expect, test } from 'bun:test';
import { fakeGroupCommitDeps } from '../../../test/group-commit.ts';
import { createGroupCommit } from './group-commit.ts';

type Loop = { writers: number; writeMs: number; thinkMs: number; syncMs: number };

/**
 * Runs 50 writes per writer in simulated time. Each writer sends its next write `thinkMs` after a response. The
 * simulated processor works on one write at a time and needs `writeMs` for each write.
 */
const run = async ({ writers, writeMs, thinkMs, syncMs }: Loop) => {
  let [now, answered, syncs] = [0, 0, 0];
  let sync: { endsAt: number; end(): void } | undefined;
  const wal = {
    sync: () =>
      new Promise<void>((end) => {
        syncs += 1;
        sync = { endsAt: now + syncMs, end };
      }),
    syncNow: () => undefined,
  };
  const groups = createGroupCommit({ ...fakeGroupCommitDeps(), wal }, () => now);
  let arrivals = Array.from({ length: writers }, (_, index) => (index / writers) * syncMs);
  const work = (share: number): void => {
    now += writeMs * share;
  };
  const send = async (): Promise<void> => {
    await groups.run(() => work(0.6));
    work(0.4);
    answered += 1;
    arrivals.push(now + thinkMs);
  };
  while (answered < 50 * writers) {
    const due = arrivals.filter((at) => at <= now).length;
    arrivals = arrivals.toSorted((a, b) => a - b).slice(due);
    for (let index = 0; index < due; index += 1) void send();
    if (sync && sync.endsAt <= now) {
      const { end } = sync;
      sync = undefined;
      end();
    }
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const next = Math.min(sync?.endsAt ?? Number.POSITIVE_INFINITY, ...arrivals);
    now = Math.max(now, sync ? next : Math.min(next, now + 0.02));
  }
  return { perSync: answered / syncs, perSecond: (answered / now) * 1000 };
};

test('all writers share each sync if they send their next writes within one sync', async () => {
  const many = await run({ writers: 64, writeMs: 0.045, thinkMs: 0, syncMs: 5 });
  const distant = await run({ writers: 16, writeMs: 0.045, thinkMs: 1, syncMs: 5 });
  expect(many.perSync).toBeGreaterThan(50);
  expect(distant.perSync).toBeGreaterThan(14);
});

test('groups rarely wait for writers that need longer than one sync to send their next writes', async () => {
  // Two writers that take turns make 200 writes a second. If each write waited for half a sync, they would make only
  // 133 writes a second.
  const { perSecond } = await run({ writers: 2, writeMs: 0.045, thinkMs: 5, syncMs: 5 });
  expect(perSecond).toBeGreaterThan(185);
});
