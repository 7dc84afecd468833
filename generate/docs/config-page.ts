import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagOf, VARIABLES, type Variable } from '../../src/config.ts';

const PAGE = join(import.meta.dirname, '../../docs/config.md');
const TABLE = /(\| variable \| flag .*\n.*\n)(?:\|.*\n)+/;

const row = ([name, { default: standard, shown, meaning, kind }]: [string, Variable]): string => {
  const flag = flagOf(name);
  const value = standard === undefined ? (shown ?? 'none') : `\`${standard}\``;
  return `| \`${name}\`${kind ? ' or `_FILE`' : ''} | ${flag ? `\`${flag}\`` : 'none (secret)'} | ${value} | ${meaning} |`;
};

/** Replaces only the table of settings. The rest of the page is written by hand. */
export const createConfigPage = (): string =>
  readFileSync(PAGE, 'utf8').replace(TABLE, (_, head) =>
    [head, ...Object.entries(VARIABLES as Record<string, Variable>).map((entry) => `${row(entry)}\n`)].join(''),
  );
