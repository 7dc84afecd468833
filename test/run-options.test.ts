import { describe, expect, test } from 'bun:test';
import { readRunOptions } from './run-options.ts';

describe('the arguments of npm test', () => {
  test('are parts of paths, unless they start with a dash', () => {
    expect(readRunOptions(['./src/pets', 'limits', '--bail=1'])).toEqual({
      busyLoops: 0,
      options: ['--bail=1'],
      filters: ['src/pets', 'limits'],
    });
  });

  for (const words of [['--busy', '8'], ['--busy=8']]) {
    test(`start eight busy loops with ${words.join(' ')}`, () => {
      expect(readRunOptions([...words, 'test/cors.test.ts'])).toEqual({
        busyLoops: 8,
        options: [],
        filters: ['test/cors.test.ts'],
      });
    });
  }

  test('may choose tests by name', () => {
    expect(readRunOptions(['-t', 'a cat']).options).toEqual(['-t', 'a cat']);
  });

  for (const words of [['--busy'], ['--busy', 'all'], ['--busy=-1']]) {
    test(`are refused: ${words.join(' ')}`, () => {
      expect(() => readRunOptions(words)).toThrow('a number of busy loops');
    });
  }
});
