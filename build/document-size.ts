import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/root.ts';

/** The only document that states the size of the built file. */
export const SIZE_DOCUMENT = 'docs/operating/install.md';

const FIGURE = /(?<=runtime in one file of )\d+(?= MB)/;

/** Replaces the documented size with the measured size, in whole megabytes. */
export const withSize = (text: string, bytes: number): string => {
  if (!FIGURE.test(text)) throw new Error(`${SIZE_DOCUMENT} does not state the size of the file`);
  return text.replace(FIGURE, String(Math.round(bytes / 1e6)));
};

export const documentSize = (bytes: number): void => {
  const path = join(ROOT, SIZE_DOCUMENT);
  const text = readFileSync(path, 'utf8');
  const measured = withSize(text, bytes);
  if (measured === text) return;
  writeFileSync(path, measured);
  console.log(`${SIZE_DOCUMENT} now states the size of this build: commit it`);
};
