import { count } from '../messages.ts';
import type { Terminal } from './terminal.ts';
import { displayWidth, truncate } from './text.ts';

const [BAR, SHORT_BAR, SHORT_NAME] = [24, 8, 16];
const USUAL_COLUMNS = 80;
const EVERY_MS = 100;

const bar = (share: number, length: number): string => {
  const full = Math.round(Math.min(1, share) * length);
  return '█'.repeat(full) + '░'.repeat(length - full);
};

export type Unit = { spell: (number: number) => string; name: string };

export const ROWS: Unit = { spell: count, name: '' };

/** @internal */
export const drawProgress = (
  name: string,
  done: number,
  total: number,
  elapsedMs: number,
  columns: number,
  unit = ROWS,
): string => {
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : '';
  const amount = `${unit.spell(done)} of ${unit.spell(total)}${unit.name}`;
  const facts = [amount, `${unit.spell(Math.round(rate))}${unit.name}/s`, left].filter(Boolean).join('   ');
  const share = total > 0 ? done / total : 1;
  const lines = [
    `${name}  ${bar(share, BAR)}  ${facts}`,
    `${name}  ${bar(share, SHORT_BAR)}  ${facts}`,
    `${truncate(name, SHORT_NAME)}  ${bar(share, SHORT_BAR)}  ${facts}`,
    facts,
    [amount, left].filter(Boolean).join('   '),
  ];
  return lines.find((line) => displayWidth(line) < columns) ?? (left || amount);
};

export const createProgress = (
  { clock, columns = USUAL_COLUMNS, showProgress }: Pick<Terminal, 'clock' | 'columns' | 'showProgress'>,
  name: string,
  unit = ROWS,
) => {
  const startedAt = clock();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(done: number, total: number, label = name): void {
      const now = clock();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      showProgress(drawProgress(label, done, total, now - startedAt, columns, unit));
    },
    end: () => showProgress(''),
    [Symbol.dispose]: () => showProgress(''),
    seconds: () => (clock() - startedAt) / 1000,
  };
};
