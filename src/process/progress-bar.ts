const CELLS = 24;
const MB = 1_000_000;

const count = (bytes: number): string => Math.round(bytes / MB).toLocaleString('en');

/** One line: how much of it is done, how fast, and how long the rest will take. */
const drawProgress = (label: string, doneBytes: number, totalBytes: number, elapsedMs: number): string => {
  const share = totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : 1;
  const full = Math.round(share * CELLS);
  const bar = '█'.repeat(full) + '░'.repeat(CELLS - full);
  const perSecond = elapsedMs > 0 ? (doneBytes / elapsedMs) * 1000 : 0;
  const left = perSecond > 0 ? `   ${Math.ceil((totalBytes - doneBytes) / perSecond)} s left` : '';
  return `${label}  ${bar}  ${count(doneBytes)} of ${count(totalBytes)} MB   ${count(perSecond)} MB/s${left}`;
};

type Progress = { show(doneBytes: number, totalBytes: number, label?: string): void; end(): void };

/** Shows on a terminal how far something is, and nothing elsewhere. Standard output is left to what comes of it. */
export const createProgress = (label: string, stopwatch: () => number): Progress => {
  const beganAt = stopwatch();
  const isShown = process.stderr.isTTY;
  let isDrawn = false;
  return {
    show(doneBytes, totalBytes, shown = label) {
      if (!isShown) return;
      isDrawn = true;
      process.stderr.write(`\r\x1b[2K${drawProgress(shown, doneBytes, totalBytes, stopwatch() - beganAt)}`);
    },
    end() {
      if (isDrawn) process.stderr.write('\r\x1b[2K');
      isDrawn = false;
    },
  };
};
