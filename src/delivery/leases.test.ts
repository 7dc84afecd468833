import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { endpoint } from '../../test/dispatcher-bench.ts';
import type { DueEndpoint } from '../resources/webhooks/webhooks.repository.ts';
import { createLeases } from './leases.ts';

const start = () => {
  const clock = createTestClock();
  const table = new Map<string, { holder: string; until: number }>();
  const asked: string[] = [];
  const take = async (name: string, holder: string, until: number): Promise<boolean> => {
    asked.push(`${holder} ${name}`);
    const found = table.get(name);
    if (found && found.holder !== holder && found.until > clock()) return false;
    table.set(name, { holder, until });
    return true;
  };
  const instance = (holder: string) =>
    createLeases({
      clock,
      holder,
      lease: (name, until) => take(name, holder, until),
      write: async (_, body) =>
        body({
          deliveryQueue: {
            lease: (one: DueEndpoint, by: string, _now: number, until: number) => take(one.webhookId, by, until),
          },
        }),
    });
  return { clock, asked, instance };
};

const at = (webhookId: string, url = 'https://target.example/'): DueEndpoint => ({ ...endpoint(webhookId), url });

describe('instances that send webhooks', () => {
  test('leave a host to one of them, for all webhooks and all spellings of the host', async () => {
    const { instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    expect(await one.acquire(at('a'))).toBeTrue();
    expect(await two.acquire(at('b', 'https://TARGET.example.:443/b'))).toBeFalse();
    expect(await two.acquire(at('c', 'https://other.example/'))).toBeTrue();
    expect(await one.acquire(at('d', 'https://other.example/'))).toBeFalse();
  });

  test('renew a lease, and retry a refused one, after the clock was set back', async () => {
    const { clock, asked, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    expect([await one.acquire(at('a')), await two.acquire(at('b'))]).toEqual([true, false]);
    clock.advance(-86_400_000);
    asked.length = 0;
    expect([await one.acquire(at('a')), await two.acquire(at('b'))]).toEqual([true, false]);
    expect(asked).toEqual(['one webhooks to target.example:443', 'one a', 'two webhooks to target.example:443']);
  });

  test('take over a host when its lease has expired or is released', async () => {
    const { clock, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    clock.advance(29_999);
    expect(await two.acquire(at('a'))).toBeFalse();
    clock.advance(500);
    expect(await two.acquire(at('a'))).toBeTrue();
    await two.release();
    expect(await one.acquire(at('a'))).toBeTrue();
  });

  test('take over a host with all its webhooks, whenever each was last used', async () => {
    const { clock, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    clock.advance(9999);
    await one.acquire(at('b'));
    clock.advance(20_001);
    expect(await two.acquire(at('b'))).toBeTrue();
    expect(await one.acquire(at('b'))).toBeFalse();
  });

  test('request the lease of a host once for all its webhooks, renew it before it expires, and wait before they retry a refused one', async () => {
    const { clock, asked, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    const names = ['a', 'b', 'c'];
    const HOST = 'webhooks to target.example:443';
    await Promise.all(names.map((name) => one.acquire(at(name))));
    await Promise.all(names.map((name) => one.acquire(at(name))));
    expect(asked).toEqual([`one ${HOST}`, ...names.map((name) => `one ${name}`)]);
    for (const name of names) await two.acquire(at(name));
    expect(asked.filter((it) => it === `two ${HOST}`)).toHaveLength(1);
    clock.advance(10_001);
    expect(await one.acquire(at('a'))).toBeTrue();
    expect(asked.filter((it) => it === `one ${HOST}`)).toHaveLength(2);
  });

  test('renew a lease only when it has less than 20 seconds left', async () => {
    const { clock, asked, instance } = start();
    const one = instance('one');
    await one.acquire(at('a'));
    clock.advance(10_000);
    expect(await one.acquire(at('a'))).toBeTrue();
    expect(asked).toHaveLength(2);
    clock.advance(1);
    expect(await one.acquire(at('a'))).toBeTrue();
    expect(asked).toHaveLength(4);
  });

  test('do not take the lease of another instance, however often they try', async () => {
    const { instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    for (let look = 0; look < 3; look += 1) expect(await two.acquire(at('a'))).toBeFalse();
  });

  test('request a released lease again', async () => {
    const { asked, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    await one.release();
    expect(await two.acquire(at('a'))).toBeTrue();
    expect(await one.acquire(at('a'))).toBeFalse();
    expect(asked.at(-1)).toStartWith('one ');
  });

  test('release the leases they hold, but not leases that have expired or that another instance has taken', async () => {
    const { clock, asked, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    clock.advance(30_000);
    await two.acquire(at('a'));
    asked.length = 0;
    await one.release();
    expect(asked).toEqual([]);

    clock.advance(29_000);
    await two.release();
    await one.acquire(at('a'));
    asked.length = 0;
    expect(await two.acquire(at('a'))).toBeFalse();
    await two.release();
    expect(asked).toEqual(['two webhooks to target.example:443']);
  });

  test('do not release a lease that they failed to renew', async () => {
    const clock = createTestClock();
    let isOurs = true;
    let asked = 0;
    const lease = async () => {
      asked += 1;
      return isOurs;
    };
    const one = createLeases({
      clock,
      holder: 'one',
      lease,
      write: async (_, body) => body({ deliveryQueue: { lease } }),
    });
    await one.acquire(at('a'));
    clock.advance(10_001);
    isOurs = false;
    expect(await one.acquire(at('a'))).toBeFalse();
    asked = 0;
    await one.release();
    // The webhook's lease was not requested again, because this instance still holds it.
    expect(asked).toBe(1);
  });
});
