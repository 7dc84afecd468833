import { beforeEach, describe, expect, test } from 'bun:test';
import type { Reply } from '../reply.ts';
import { createPageCache, type PageCache } from './page-cache.ts';

let commits: number;
let made: number;
let cache: PageCache;
beforeEach(() => {
  commits = 0;
  made = 0;
  cache = createPageCache(() => commits, 100);
});

const make = async () => {
  made += 1;
  return { status: 200, headers: { Link: 'first' }, body: [made] };
};

const keep = async (name: string, make: () => Promise<Reply>) => {
  const lookup = cache.find(name);
  return cache.keep(lookup, await make());
};
const find = (name: string) => cache.find(name).kept;

const askTwice = async (name: string) => {
  await keep(name, make);
  await keep(name, make);
};

describe('the cache of pages', () => {
  test('gives a page again as it was made the second time, as text', async () => {
    await keep('one', make);
    expect(find('one')).toBeUndefined();
    await keep('one', make);
    expect(find('one')).toMatchObject({ status: 200, headers: { Link: 'first' }, text: '[2]' });
    expect(find('two')).toBeUndefined();
  });

  test('forgets every page with the next write', async () => {
    await askTwice('one');
    await askTwice('two');
    expect(find('one')).toBeDefined();
    commits += 1;
    expect(find('one')).toBeUndefined();
    expect(find('two')).toBeUndefined();
  });

  test('does not keep a page if something was written while it was made', async () => {
    await keep('one', make);
    const page = await keep('one', async () => {
      const read = await make();
      commits += 1;
      return read;
    });
    expect(page.body).toEqual([2]);
    expect(find('one')).toBeUndefined();
  });

  test('keeps no more than its bound', async () => {
    let most = 0;
    for (let page = 0; page < 100; page += 1) {
      await askTwice(`page-${page}`);
      const kept = Array.from({ length: 100 }, (_, name) => find(`page-${name}`)).filter((found) => found);
      expect(kept.length).toBeLessThanOrEqual(100 / 'page-0[1]'.length);
      most = Math.max(most, kept.length);
    }
    expect(most).toBeGreaterThan(5);
  });

  test('does not keep a failure', async () => {
    const failing = keep('one', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(find('one')).toBeUndefined();
  });
});
