import { describe, expect, test } from 'bun:test';
import { type Plan, STREAMS } from '../resources/keys/plan.ts';
import { createHub, streamsWith } from './hub.ts';

type Holder = Parameters<ReturnType<typeof createHub>['claim']>[0];

const holder = (fields: Partial<Holder> = {}): Holder => ({
  keyId: 'key_one',
  plan: 'enterprise',
  storeId: 1n,
  isOperator: false,
  ...fields,
});

const fill = (open: ReturnType<typeof createHub>, fields: Partial<Holder> = {}) => {
  const places: { release(): void }[] = [];
  for (;;) {
    try {
      places.push(open.claim(holder({ keyId: `key_${open.count()}`, ...fields })));
    } catch (error) {
      return { places, refusal: error };
    }
  }
};

const TOO_MANY = { code: 'too_many_streams', status: 429, retryAfterSeconds: 30 };

describe('open streams', () => {
  const plans: [Plan, number][] = [
    ['free', 2],
    ['pro', 10],
    ['business', 50],
    ['enterprise', 500],
  ];
  test.each(plans)('of a key on the plan %s are limited to %d', (plan, most) => {
    const { places, refusal } = fill(createHub(5000), { keyId: 'key_one', plan });
    expect(places).toHaveLength(most);
    expect(STREAMS[plan]).toBe(most);
    expect(refusal).toMatchObject(TOO_MANY);
  });

  test('of a store are limited to 1,000, and those of another store are counted separately', () => {
    const open = createHub(5000);
    const { places, refusal } = fill(open);
    expect(places).toHaveLength(1000);
    expect(refusal).toMatchObject(TOO_MANY);
    expect(fill(open, { storeId: 2n }).places).toHaveLength(1000);
  });

  test('of a process are limited across stores', () => {
    const open = createHub(30);
    for (let storeId = 1n; storeId <= 30n; storeId += 1n) open.claim(holder({ storeId }));
    expect(() => open.claim(holder({ storeId: 31n }))).toThrow(expect.objectContaining(TOO_MANY));
  });

  test('have a reserve for operators, in a full store and in a full process', () => {
    const full = createHub(5000);
    fill(full);
    expect(fill(full, { isOperator: true }).places).toHaveLength(100);
    const small = createHub(30);
    fill(small);
    expect(fill(small, { isOperator: true }).places).toHaveLength(100);
  });

  test('each free one slot when they end', () => {
    const open = createHub(5000);
    const { places } = fill(open, { keyId: 'key_one', plan: 'pro' });
    for (const { release } of places.slice(0, 3)) {
      release();
      release();
    }
    expect(open.count()).toBe(7);
    expect(fill(open, { keyId: 'key_one', plan: 'pro' }).places).toHaveLength(3);
  });

  test('are all processed, at most 100 per turn of the event loop, and may end meanwhile', async () => {
    const open = createHub(5000);
    let tended = 0;
    for (let index = 0; index < 250; index += 1) {
      const place = open.claim(holder());
      place.stream = {
        tend: () => {
          tended += 1;
          place.release();
        },
      };
    }
    open.claim(holder());
    const ended = open.tend();
    expect(tended).toBe(100);
    await ended;
    expect([tended, open.count()]).toEqual([250, 1]);
  });

  test('get different reconnect delays', () => {
    const open = createHub(5000);
    const waits = Array.from({ length: 50 }, () => open.claim(holder()).retryMs);
    expect(new Set(waits).size).toBe(50);
    expect(Math.min(...waits)).toBe(1000);
    expect(Math.max(...waits)).toBeLessThan(6000);
  });
});

describe('a process', () => {
  test.each([
    [Number.POSITIVE_INFINITY, 5000],
    [20_000, 5000],
    [10_000, 5000],
    [1024, 512],
    [256, 128],
  ])('with %d file descriptors has at most %d streams, which leaves half of the descriptors', (descriptors, most) => {
    expect(streamsWith(descriptors)).toBe(most);
  });
});
