import { describe, expect, test } from 'bun:test';
import { findJsonRows, type JsonRows } from './json-rows.ts';

const find = (body: string, most = 1000) => {
  const bytes = Buffer.from(body);
  const search = findJsonRows(bytes, 'pets', most);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = search.next();
    if (done) return { bytes, found: value, pauses };
  }
};
const rowsOf = (body: string): string[] | undefined => {
  const { bytes, found } = find(body);
  const texts = (ranges: JsonRows['ranges']) =>
    Array.from({ length: ranges.length / 2 }, (_, row) =>
      bytes.subarray(ranges[2 * row], ranges[2 * row + 1]).toString(),
    );
  return found && texts(found.ranges);
};

describe('the rows of a list', () => {
  test.each([
    ['{"pets":[]}', []],
    ['{"pets":[ \n]}', []],
    ['{"pets":[ \n1]}', [' \n1']],
    ['{"pets":[1],"pets":[ ]}', []],
    ['{"pets":[1,"two", {"three":[3,{}]} ]}', ['1', '"two"', ' {"three":[3,{}]} ']],
    ['{"a":"pets","b":[9],"pets":[1]}', ['1']],
    ['{"a":{"pets":[9]},"pets" : [1],"c":[2]}', ['1']],
    ['{"pets":[9],"pets":[1,2]}', ['1', '2']],
    ['{"pets":["]","\\\\","\\"],[","小"]}', ['"]"', '"\\\\"', '"\\"],["', '"小"']],
  ])('are found in %s', (body, rows) => {
    expect(JSON.parse(body)).toBeDefined();
    expect(rowsOf(body)).toEqual(rows);
  });

  test.each([['{"pets":{"a":[1]}}'], ['{"cats":[1]}'], ['[[1]]'], ['"pets"'], [''], ['{"pets":[1'], ['{"pets":["a]}']])(
    'are not found in %p',
    (body) => {
      expect(rowsOf(body)).toBeUndefined();
    },
  );

  test('lie between brackets whose positions are returned', () => {
    const { bytes, found } = find('{"pets": [1,2] }');
    expect([bytes.subarray(0, found?.opened).toString(), bytes.subarray(found?.closed).toString()]).toEqual([
      '{"pets": [',
      '] }',
    ]);
  });

  test('are counted up to one more than the limit', () => {
    expect(find(`{"pets":[${Array(10).fill(1)}]}`, 10).found?.ranges).toHaveLength(20);
    expect(find(`{"pets":[${Array(5000).fill(1)}]}`, 10).found?.ranges).toHaveLength(22);
  });
});

test.each([
  ['white space', ' '.repeat(1024 * 1024)],
  ['one string', `"${'x'.repeat(1024 * 1024)}"`],
  ['one string of escapes', `"${'\\"'.repeat(512 * 1024)}"`],
  ['brackets', '['.repeat(1024 * 1024)],
])('pauses at least every 32 KiB of a mebibyte of %s', (_, row) => {
  expect(find(`{"pets":[${row}]}`).pauses).toBeGreaterThanOrEqual(32);
});

test('needs one pass to decide whether a list of white space contains a row', () => {
  let reads = 0;
  const bytes = Buffer.from(`{"pets":[${' '.repeat(10_000)}]}`);
  const counted = new Proxy(bytes, {
    get: (target, name) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, target);
    },
  });
  const search = findJsonRows(counted, 'pets', 10);
  while (!search.next().done);
  expect(reads).toBeLessThan(2.5 * bytes.length);
});
