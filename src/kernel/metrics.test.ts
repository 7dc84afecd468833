import { describe, expect, test } from 'bun:test';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  test('count each set of labels separately', async () => {
    const metrics = createMetrics();
    const sold = metrics.counter('sold_total', 'Animals sold.');
    sold({ kind: 'dog' }).add();
    sold({ kind: 'dog' }).add(2);
    sold({ kind: 'cat' }).add();
    expect(await metrics.show()).toBe(
      '# HELP sold_total Animals sold.\n# TYPE sold_total counter\nsold_total{kind="dog"} 3\nsold_total{kind="cat"} 1\n',
    );
  });

  test('count observations up to each bound, and sum them', async () => {
    const metrics = createMetrics();
    const wait = metrics.histogram('wait_seconds', 'Waits.', [0.1, 1])();
    for (const value of [0.1, 0.5, 2]) wait.observe(value);
    expect((await metrics.show()).split('\n').slice(2, -1)).toEqual([
      'wait_seconds_bucket{le="0.1"} 1',
      'wait_seconds_bucket{le="1"} 2',
      'wait_seconds_bucket{le="+Inf"} 3',
      'wait_seconds_sum 2.6',
      'wait_seconds_count 3',
    ]);
  });

  test('are read on each scrape, and omitted if they cannot be read', async () => {
    const metrics = createMetrics();
    let open = 0;
    metrics.read('open', 'Open ones.', () => [{ value: open }]);
    let isAway = true;
    metrics.read('broken', 'Not always known.', () => {
      if (isAway) throw new Error('the database is away');
      return [{ value: 1 }];
    });
    open = 7;
    expect(await metrics.show()).toBe(
      '# HELP open Open ones.\n# TYPE open gauge\nopen 7\n# HELP broken Not always known.\n# TYPE broken gauge\n',
    );
    isAway = false;
    expect(await metrics.show()).toContain('broken 1');
  });

  test('that cannot be read in time are omitted, and concurrent scrapes share one read', async () => {
    const metrics = createMetrics({ patienceMs: 1 });
    const answered = Promise.withResolvers<{ value: number }[]>();
    let reads = 0;
    metrics.read('slow', 'Slow.', () => {
      reads += 1;
      return answered.promise;
    });
    for (let count = 0; count < 3; count += 1) {
      expect(await metrics.show()).toBe('# HELP slow Slow.\n# TYPE slow gauge\n');
    }
    expect(reads).toBe(1);
    answered.resolve([{ value: 7 }]);
    await answered.promise;
    expect(await metrics.show()).toContain('slow 7');
  });

  test('escape values that would end a label or a line', async () => {
    const metrics = createMetrics();
    metrics.read('odd', 'Odd.', () => [{ labels: { text: 'a"b\\c\nd' }, value: 1 }]);
    expect(await metrics.show()).toContain('odd{text="a\\"b\\\\c\\nd"} 1');
  });
});
