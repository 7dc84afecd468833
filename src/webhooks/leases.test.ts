import { describe, expect, test } from 'bun:test';
import { createTestClock } from '../../test/clock.ts';
import { endpoint } from '../../test/dispatcher-bench.ts';
import { createLeases } from './leases.memory.ts';
import type { DueEndpoint } from './webhooks.repository.ts';

/** Instances that take names from one list, as those of a deployment do from one table. */
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
  test('leave a host to one of them, whatever webhooks lead to it in whatever spelling', async () => {
    const { instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    expect(await one.acquire(at('a'))).toBeTrue();
    expect(await two.acquire(at('b', 'https://TARGET.example.:443/b'))).toBeFalse();
    expect(await two.acquire(at('c', 'https://other.example/'))).toBeTrue();
    expect(await one.acquire(at('d', 'https://other.example/'))).toBeFalse();
  });

  test('take a host over when its lease has ended, or as soon as it is given back', async () => {
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

  test('take a host over with all webhooks that lead to it, whenever something was last sent to each', async () => {
    const { clock, instance } = start();
    const [one, two] = [instance('one'), instance('two')];
    await one.acquire(at('a'));
    clock.advance(9999);
    await one.acquire(at('b'));
    clock.advance(20_001);
    expect(await two.acquire(at('b'))).toBeTrue();
    expect(await one.acquire(at('b'))).toBeFalse();
  });

  test('ask once for all webhooks at a host, again before a lease ends, and not at once for what another has', async () => {
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
});
