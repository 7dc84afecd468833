/** `nextTurn` resolves in the next turn of the event loop, so that requests that have already arrived run first. */
export { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of monotonic time. Nobody can set this clock, unlike the system clock. */
export type Elapsed = () => number;

export const elapsed: Elapsed = performance.now.bind(performance);

/** Milliseconds of processor time. They do not include time spent waiting for a remote database. */
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
