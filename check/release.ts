import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenapi } from '../generate/openapi/document.ts';
import { VERSION } from '../src/version.ts';
import { findBreaks } from './breaks.ts';
import { ROOT } from './root.ts';

const FOLDER = 'docs/releases';

const findReleases = (): string[] =>
  readdirSync(join(ROOT, FOLDER)).filter((name) => /^openapi-\d+\.\d+\.\d+\.json$/.test(name));

/** Stores this version's document as the last release, and replaces the previous one. */
export const writeRelease = (): string => {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const name of findReleases()) rmSync(join(ROOT, FOLDER, name));
  const path = `${FOLDER}/openapi-${VERSION}.json`;
  writeFileSync(join(ROOT, path), `${JSON.stringify(createOpenapi())}\n`);
  return path;
};

/** Finds what breaks clients of the last release. */
export const findReleaseBreaks = (): string[] => {
  const [name, ...others] = findReleases();
  if (!name || others.length > 0) return [`${FOLDER} must hold one document: run \`npm run release:document\``];
  const breaks = findBreaks(JSON.parse(readFileSync(join(ROOT, FOLDER, name), 'utf8')), createOpenapi());
  return breaks.map((text) => `${text} (${name}): /v1 may only change by addition`);
};
