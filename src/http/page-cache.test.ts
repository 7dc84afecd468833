import { beforeEach, describe, expect, test } from 'bun:test';
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

describe('the cache of pages', () => {
  test('gives a page again as it was first made, as text', async () => {
    await cache.keep('one', make);
    expect(cache.find('one')).toMatchObject({ status: 200, headers: { Link: 'first' }, text: '[1]' });
    expect(cache.find('two')).toBeUndefined();
  });

  test('forgets every page with the next write', async () => {
    await cache.keep('one', make);
    await cache.keep('two', make);
    commits += 1;
    expect(cache.find('one')).toBeUndefined();
    expect(cache.find('two')).toBeUndefined();
  });

  test('does not keep a page if something was written while it was made', async () => {
    const page = await cache.keep('one', async () => {
      const read = await make();
      commits += 1;
      return read;
    });
    expect(page.body).toEqual([1]);
    expect(cache.find('one')).toBeUndefined();
  });

  test('keeps no more than its bound', async () => {
    for (let page = 0; page < 100; page += 1) {
      await cache.keep(`page-${page}`, make);
      const kept = Array.from({ length: 100 }, (_, name) => cache.find(`page-${name}`)).filter((found) => found);
      expect(kept.length).toBeLessThanOrEqual(100 / 'page-0[1]'.length);
    }
    expect(made).toBe(100);
  });

  test('does not keep a failure', async () => {
    const failing = Promise.resolve(cache.keep('one', () => Promise.reject(new Error('no'))));
    expect(failing).rejects.toThrow('no');
    await failing.catch(() => undefined);
    expect(cache.find('one')).toBeUndefined();
  });
});
