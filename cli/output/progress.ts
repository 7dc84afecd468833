import { count } from '../messages.ts';
import type { Terminal } from './terminal.ts';
import { truncate } from './text.ts';

const BAR = 24;
const USUAL_COLUMNS = 80;
/** Minimum interval between redraws, in ms, because drawing takes time. */
const EVERY_MS = 100;

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
};

/** How to format a number, and what the number counts. */
type Unit = { spell: (number: number) => string; name: string };

const ROWS: Unit = { spell: count, name: '' };

/** Draws progress on one line: bar, amount done, rate, and time left at that rate. */
export const drawProgress = (name: string, done: number, total: number, elapsedMs: number, unit = ROWS): string => {
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const left = rate > 0 ? `   ${Math.ceil((total - done) / rate)} s left` : '';
  const amount = `${unit.spell(done)} of ${unit.spell(total)}${unit.name}   ${unit.spell(Math.round(rate))}${unit.name}/s`;
  return `${name}  ${bar(total > 0 ? done / total : 1)}  ${amount}${left}`;
};

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
      showProgress(truncate(drawProgress(name, done, total, now - startedAt), columns - 1));
    },
    end: () => showProgress(''),
    seconds: () => (clock() - startedAt) / 1000,
  };
};
