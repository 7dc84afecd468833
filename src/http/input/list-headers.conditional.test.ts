import { describe, expect, test } from 'bun:test';
import { processorMs } from '../../../test/processor-time.ts';
import { isUnchanged, readIfMatch } from './list-headers.ts';

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"1", "7"', '"1","7"', ' "7" ', 'W/"1", W/"7"', '"1", *'])(
    'matches: %s',
    (header) => {
      expect(isUnchanged(header, '"7"')).toBeTrue();
    },
  );

  test.each([null, '', '"8"', '7', '"77"', '"7', 'w/"7"', '""', ',', '"1", "2"', 'W/7', '**'])(
    'does not match: %p',
    (header) => {
      expect(isUnchanged(header, '"7"')).toBeFalse();
    },
  );
});

describe('If-Match', () => {
  test('allows every change if it is not sent', () => {
    expect(readIfMatch(null)).toBeUndefined();
  });

  const read: [string, string[]][] = [
    ['*', ['*']],
    ['"7"', ['"7"']],
    [' "7" ,\tW/"8"', ['"7"', 'W/"8"']],
    ['"7","8"', ['"7"', '"8"']],
    [',"7",, "8",', ['"7"', '"8"']],
    ['"a,b"', ['"a,b"']],
    ['""', ['""']],
    ['"\u00e9"', ['"\u00e9"']],
  ];
  test.each(read)('reads %s', (header, tags) => {
    expect(readIfMatch(header)).toEqual(tags);
  });

  test.each(['', ' ', ',', '7', '"7', '7"', '"7""', '"7" "8"', '"7"8', '*, "7"', '**', 'w/"7"', 'W/ "7"', '"a b"'])(
    'refuses %p',
    (header) => {
      expect(() => readIfMatch(header)).toThrow('If-Match: must be * or a list of entity tags');
    },
  );

  test('is read in linear time', () => {
    const usedMs = processorMs(() => {
      for (const unit of ['"', ',', ' ', '", ', 'W/', '"7" ']) {
        expect(() => readIfMatch(unit.repeat(100_000))).toThrow();
      }
    });
    expect(usedMs).toBeLessThan(2000);
  });
});
