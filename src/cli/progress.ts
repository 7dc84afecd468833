import { truncate } from './display-width.ts';
import type { Terminal } from './terminal.ts';

const BAR = 24;
const USUAL_COLUMNS = 80;
/** Drawn more often it would cost more than it tells. */
const EVERY_MS = 100;

export const count = (number: number): string => number.toLocaleString('en-US');

export const animals = (number: number): string => `${count(number)} animal${number === 1 ? '' : 's'}`;

const bar = (share: number): string => {
  const full = Math.round(share * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
};

/** How far a work is: a bar, the count, the rate, and the time left at that rate. */
export const createProgress = (
  { clock, columns = USUAL_COLUMNS, showProgress }: Terminal,
  name: string,
  total: number,
) => {
  const startedAt = clock();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(done: number): void {
      const now = clock();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const rate = done / Math.max(0.001, (now - startedAt) / 1000);
      const left = rate > 0 ? `   ${Math.ceil((total - done) / rate)} s left` : '';
      const text = `${name}  ${bar(total > 0 ? done / total : 1)}  ${count(done)} of ${count(total)}   ${count(Math.round(rate))}/s${left}`;
      showProgress(truncate(text, columns - 1));
    },
    end: () => showProgress(''),
    seconds: () => (clock() - startedAt) / 1000,
  };
};
