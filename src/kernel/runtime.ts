/** `nextTurn` lets requests that have already arrived run first. */
export { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Monotonic time in milliseconds. Unlike the system clock, it cannot be set. */
export type Elapsed = () => number;

export const elapsed: Elapsed = performance.now.bind(performance);

/** Does not include time spent waiting for a remote database. */
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

/** A slice would keep the whole original string in memory. */
export const copyText = (text: string): string => Buffer.from(text).toString();

export const lazy = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};
