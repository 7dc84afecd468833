import { describe, expect, test } from 'bun:test';
import { drawProgress } from './progress.ts';
import { displayWidth } from './text.ts';

const NAMES = ['a.csv', '小鳥.csv', `${'long-'.repeat(30)}.csv`];

describe('a progress bar', () => {
  test('always shows the time left on a terminal of at least 12 columns', () => {
    let drawn = 0;
    for (const name of NAMES) {
      for (let columns = 12; columns <= 200; columns += 1) {
        const line = drawProgress(name, 123_456, 1_000_000, 20_000, columns);
        expect(line).toEndWith('143 s left');
        expect(displayWidth(line)).toBeLessThan(columns);
        drawn += 1;
      }
    }
    expect(drawn).toBe(567);
  });

  test('shortens the bar first, then the name, then removes both, then the rate', () => {
    const draw = (columns: number) => drawProgress('a-file-with-a-name.csv', 500, 1000, 1000, columns);
    const facts = '500 of 1,000   500/s   1 s left';
    expect([100, 70, 62, 40, 30, 10].map(draw)).toEqual([
      `a-file-with-a-name.csv  ${'█'.repeat(12)}${'░'.repeat(12)}  ${facts}`,
      `a-file-with-a-name.csv  ████░░░░  ${facts}`,
      `a-file-with-a-n…  ████░░░░  ${facts}`,
      facts,
      '500 of 1,000   1 s left',
      '1 s left',
    ]);
  });
});
