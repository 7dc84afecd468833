import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from './outcome.ts';

const FILE = join(import.meta.dir, 'results.json');

export type Results = Record<string, Result>;

export const readResults = (): Results => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {});

export const keepResults = (results: Results): void => writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
