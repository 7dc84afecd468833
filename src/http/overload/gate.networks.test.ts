import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../../test/clock.ts';
import { createThrottledNetworks } from './gate.ts';

describe('a throttled network', () => {
  test('stays throttled until its window resets', () => {
    const clock = createTestClock();
    const throttled = createThrottledNetworks(clock);
    throttled.note('192.0.2.1', { windows: [], refused: { by: 'minute', until: clock() + 1000 } });
    throttled.note('192.0.2.2', { windows: [] });
    throttled.note('192.0.2.3', undefined);
    const known = () => ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(throttled.has);
    expect(known()).toEqual([true, false, false]);
    clock.advance(1000);
    expect(known()).toEqual([false, false, false]);
  });

  test('is forgotten after 10,000 newer ones', () => {
    const clock = createTestClock();
    const throttled = createThrottledNetworks(clock);
    const refused = { by: 'minute' as const, until: clock() + 1000 };
    for (let made = 0; made <= 10_000; made += 1) throttled.note(`address ${made}`, { windows: [], refused });
    expect(['address 0', 'address 1', 'address 10000'].map(throttled.has)).toEqual([false, true, true]);
  });
});
