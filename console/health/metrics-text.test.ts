import { describe, expect, test } from 'bun:test';
import { readMetrics } from './metrics-text.ts';

describe('a metrics page', () => {
  test('is parsed with labels, and without comments', () => {
    expect(readMetrics('# HELP a b\na{x="1,\\"2\\"}",y="\\\\n"} 3\nb 4.5e-3\n\n')).toEqual([
      { name: 'a', labels: { x: '1,"2"}', y: '\\n' }, value: 3 },
      { name: 'b', labels: {}, value: 0.0045 },
    ]);
  });
});
