import { beforeEach, describe, expect, test } from 'bun:test';
import { createOverloadSignal } from './gate.ts';

let now: number;
let signal: ReturnType<typeof createOverloadSignal>;
beforeEach(() => {
  now = 0;
  signal = createOverloadSignal(() => now);
});
const see = (served: number, refused: number, ms = 5000) => {
  signal.served += served;
  signal.refused += refused;
  now += ms;
  return signal.isSheddingAll();
};

describe('a service sheds nearly everything', () => {
  test('if fewer than one in a hundred were served in five seconds', () => {
    expect(see(9, 1000)).toBe(true);
  });

  test('not while one in a hundred is', () => {
    expect(see(10, 1000)).toBe(false);
  });

  test('not if few were refused, or nobody came', () => {
    expect(see(0, 99)).toBe(false);
    expect(see(0, 0)).toBe(false);
  });

  test('and is not judged anew before five more seconds are over', () => {
    expect(see(0, 1000, 4999)).toBe(false);
    expect(see(0, 0, 1)).toBe(true);
    expect(see(1000, 0, 4999)).toBe(true);
    expect(see(0, 0, 1)).toBe(false);
  });
});
