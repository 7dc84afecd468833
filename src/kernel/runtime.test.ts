import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, lazy, MINUTE_MS, once, processorMs, tryTo } from './runtime.ts';

test('once creates the value on first use and returns the same value to every caller', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
    return { made };
  });
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

test('once also keeps undefined', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
  });
  value();
  value();
  expect(made).toBe(1);
});

test('a lazy value is created once, even for concurrent callers', async () => {
  let count = 0;
  const value = lazy(async () => {
    count += 1;
    return { count };
  });
  expect(count).toBe(0);
  const [first, second] = await Promise.all([value(), value()]);
  expect(first).toEqual({ count: 1 });
  expect(second).toBe(first);
  expect(await value()).toBe(first);
});

test('a failure rejects all waiting callers, and the next call tries again', async () => {
  let isBroken = true;
  const value = lazy(async () => {
    if (isBroken) throw new Error('too many open files');
    return 'made';
  });
  const waiting = Promise.allSettled([value(), value()]);
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await value()).toBe('made');
});

test('a failed attempt returns undefined', () => {
  const fail = (): string => {
    throw new Error('no such file');
  };
  expect([tryTo(() => 'read'), tryTo(fail)]).toEqual(['read', undefined]);
});

test('the units of time are in milliseconds', () => {
  expect([MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([60_000, 3_600_000, 86_400_000]);
});

test('the processor time includes time spent in the operating system', () => {
  const inAll = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
  const before = inAll(process.cpuUsage());
  const ms = processorMs();
  expect(ms).toBeGreaterThanOrEqual(before);
  expect(ms).toBeLessThanOrEqual(inAll(process.cpuUsage()));
});
