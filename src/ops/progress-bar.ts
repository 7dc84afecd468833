import { count, drawProgress } from '../../cli/output/progress.ts';

const MB = 1_000_000;
const MEGABYTES = { spell: (bytes: number) => count(Math.round(bytes / MB)), name: ' MB' };

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
      process.stderr.write(`\r\x1b[2K${drawProgress(shown, doneBytes, totalBytes, stopwatch() - beganAt, MEGABYTES)}`);
    },
    end() {
      if (isDrawn) process.stderr.write('\r\x1b[2K');
      isDrawn = false;
    },
  };
};
