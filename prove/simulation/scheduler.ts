import type { Seeded } from '../seeded.ts';

/** A simulated process. When the process ends, the scheduler cancels its pending work. */
export type Owner = {
  name: string;
  frozenUntil: number;
  aheadMs: number;
  disturbedAt: number;
  /** Simulated time of the latest turn of this process's event loop. No later turn may have an earlier time. */
  lastTurnAt: number;
  isGone: boolean;
};

type Happening = { at: number; order: number; owner: Owner; what: string; act(): void; everyMs?: number };

const BEGINNING = Date.UTC(2026, 0, 1);
const LONGEST_TURN_MS = 0.5;
const LAST_STEPS = 40;

const createTrace = () => {
  const lastSteps: string[] = [];
  const digest = new Bun.CryptoHasher('sha256');
  let steps = 0;
  return {
    note(seen: string): void {
      digest.update(seen);
      lastSteps.push(seen);
      if (lastSteps.length > LAST_STEPS) lastSteps.shift();
      steps += 1;
    },
    steps: () => steps,
    lastSteps: (): readonly string[] => lastSteps,
    digest: () => digest.copy().digest('hex').slice(0, 16),
  };
};

const createOwner = (name: string, aheadMs = 0): Owner => ({
  name,
  frozenUntil: 0,
  aheadMs,
  disturbedAt: Number.NEGATIVE_INFINITY,
  lastTurnAt: 0,
  isGone: false,
});

const turn = setImmediate;
/** Waits for one turn of the real event loop, which runs all code that was waiting for the simulated step. */
const settled = (): Promise<void> => new Promise((resolve) => void turn(resolve));

/**
 * Runs simulated events one at a time. The seed determines their durations and their order, so a run can be repeated.
 */
export const createScheduler = (seeded: Seeded) => {
  const waiting = new Set<Happening>();
  const { note, ...trace } = createTrace();
  let now = 0;
  let order = 0;
  let current: Owner | undefined;

  const outside = createOwner('outside');
  const ownerNow = (): Owner => current ?? outside;

  const at = (time: number, what: string, act: () => void, owner = ownerNow()): Happening => {
    order += 1;
    const happening = { at: Math.max(time, now), order, owner, what, act };
    if (!owner.isGone) waiting.add(happening);
    return happening;
  };

  const timeOf = ({ at, owner }: Happening): number => Math.max(at, owner.frozenUntil);

  const first = (): Happening | undefined => {
    let found: Happening | undefined;
    for (const one of waiting) {
      const sooner = found ? timeOf(one) - timeOf(found) || one.order - found.order : -1;
      if (sooner < 0) found = one;
    }
    return found;
  };

  const repeat = (happening: Happening, everyMs: number): void => {
    order += 1;
    waiting.add(Object.assign(happening, { at: now + everyMs, order }));
  };

  return {
    createOwner,
    outside,
    ownerNow,
    at,
    after: (ms: number, what: string, act: () => void, owner?: Owner) => at(now + ms, what, act, owner),
    cancel: (happening: Happening | undefined): void => void (happening && waiting.delete(happening)),
    nextTurn: (act: () => void): Happening => {
      const owner = ownerNow();
      owner.lastTurnAt = Math.max(owner.lastTurnAt, now + seeded.below(1000) * (LONGEST_TURN_MS / 1000));
      return at(owner.lastTurnAt, 'a turn', act, owner);
    },
    every: (ms: number, act: () => void): Happening => Object.assign(at(now + ms, 'a job', act), { everyMs: ms }),
    now: (): number => now,
    clockOf: (owner: Owner): number => Math.floor(BEGINNING + now + owner.aheadMs),
    end: (owner: Owner): void => {
      owner.isGone = true;
      for (const one of waiting) if (one.owner === owner) waiting.delete(one);
    },
    pass: (ms: number): void => {
      now += ms;
    },
    async step(): Promise<void> {
      const next = first();
      if (!next) throw new Error('no event is left');
      waiting.delete(next);
      now = Math.max(now, timeOf(next));
      if (next.everyMs !== undefined) repeat(next, next.everyMs);
      note(`${now.toFixed(3)} ${next.owner.name}: ${next.what}`);
      current = next.owner;
      next.act();
      await settled();
      current = undefined;
    },
    ...trace,
  };
};

export type Scheduler = ReturnType<typeof createScheduler>;
