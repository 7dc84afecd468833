import { describe, expect, test } from 'bun:test';
import { listLinks } from './cursor.ts';

const URL = 'https://shop.example/v1/pets';
const linksOf = (given: Record<string, string>, next?: string) =>
  listLinks(URL, { given, cursorAfter: (position) => `behind-${position}` }, next);

describe('the links of a list', () => {
  test('point to its first page, and to the next if there is one', () => {
    expect(linksOf({})).toBe(`<${URL}>; rel="first"`);
    expect(linksOf({}, '42')).toBe(`<${URL}?cursor=behind-42>; rel="next", <${URL}>; rel="first"`);
  });

  test('keep the filters and the limit of the request, but not its cursor', () => {
    const query = '?status=sold&limit=2';
    expect(linksOf({ status: 'sold', cursor: 'old', limit: '2' }, '42')).toBe(
      `<${URL}${query}&cursor=behind-42>; rel="next", <${URL}${query}>; rel="first"`,
    );
  });

  test('are percent-encoded, except commas between ids', () => {
    expect(linksOf({ ids: '1,2', name: 'a b&c,d>' })).toBe(`<${URL}?ids=1,2&name=a%20b%26c,d%3E>; rel="first"`);
  });
});
