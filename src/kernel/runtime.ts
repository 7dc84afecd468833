/** `nextTurn` resolves in the next turn of the event loop, after the requests that have already arrived. */
export { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Monotonic time in milliseconds, for measuring durations. Unlike the clock, it cannot be set. */
export type Elapsed = () => number;

export const elapsed: Elapsed = performance.now.bind(performance);

/** Processor time of this process, in ms. Unlike elapsed time, it does not grow while a remote database works. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export const once = <Value>(make: () => Value): (() => Value) => {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};
