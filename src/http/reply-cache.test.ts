import { beforeEach, describe, expect, test } from 'bun:test';
import type { Reply } from './reply.ts';
import { createReplyCache, type ReplyCache } from './reply-cache.ts';

let commits: number;
let made: number;
let cache: ReplyCache;
beforeEach(() => {
  commits = 0;
  made = 0;
  cache = createReplyCache(() => commits, 100);
});

const make = async () => {
  made += 1;
  return { status: 200, headers: { Link: 'first' }, body: [made] };
};

const keep = async (name: string, make: () => Promise<Reply>) => {
  const lookup = cache.find(name);
  return cache.keep(lookup, await make());
};
const find = (name: string) => cache.find(name).cached;

const requestTwice = async (name: string) => {
  await keep(name, make);
  await keep(name, make);
};

describe('the reply cache', () => {
  test('returns the second reply as text, until the next write', async () => {
    await keep('one', make);
    expect(find('one')).toBeUndefined();
    await keep('one', make);
    expect(find('one')).toMatchObject({ status: 200, headers: { Link: 'first' }, text: '[2]' });
    expect(find('two')).toBeUndefined();
  });

  test('drops every reply on the next write', async () => {
    await requestTwice('one');
    await requestTwice('two');
    expect(find('one')).toBeDefined();
    commits += 1;
    expect(find('one')).toBeUndefined();
    expect(find('two')).toBeUndefined();
  });

  test('does not cache a reply if something was written while it was created', async () => {
    await keep('one', make);
    const reply = await keep('one', async () => {
      const read = await make();
      commits += 1;
      return read;
    });
    expect(reply.body).toEqual([2]);
    expect(find('one')).toBeUndefined();
  });

  test('keeps no more characters than its limit', async () => {
    let most = 0;
    for (let number = 0; number < 100; number += 1) {
      await requestTwice(`page-${number}`);
      const kept = Array.from({ length: 100 }, (_, name) => find(`page-${name}`)).filter((found) => found);
      expect(kept.length).toBeLessThanOrEqual(100 / 'page-0[1]'.length);
      most = Math.max(most, kept.length);
    }
    expect(most).toBeGreaterThan(5);
  });

  test('does not cache a failure', async () => {
    const failing = keep('one', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(find('one')).toBeUndefined();
  });
});
