import type { Seeded } from '../seeded.ts';
import type { Scheduler } from './scheduler.ts';

type Act = (...given: unknown[]) => void;
type Happening = ReturnType<Scheduler['at']>;

/** Replaces the global timers, clocks and randomness. After this call, the process can only run simulations. */
export const commandRuntime = () => {
  let scheduler: Scheduler;
  let seeded: Seeded;
  const cancel = (happening: Happening | undefined): void => scheduler.cancel(happening);
  Object.assign(globalThis, {
    setTimeout: (act: Act, ms = 0, ...given: unknown[]) => scheduler.after(ms, 'a timer', () => act(...given)),
    setImmediate: (act: Act, ...given: unknown[]) => scheduler.nextTurn(() => act(...given)),
    setInterval: (act: Act, ms: number) => scheduler.every(ms, act),
    clearTimeout: cancel,
    clearImmediate: cancel,
    clearInterval: cancel,
  });
  Object.assign(Date, { now: () => scheduler.clockOf(scheduler.ownerNow()) });
  Object.assign(performance, { now: () => scheduler.now() });
  Object.assign(Math, { random: () => seeded.below(2 ** 32) / 2 ** 32 });
  return (next: { scheduler: Scheduler; seeded: Seeded }): void => {
    ({ scheduler, seeded } = next);
  };
};
