import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { ADVICE, STATUSES, type Status } from './failure-words.ts';

const PAGE = join(import.meta.dirname, '../../docs/errors.md');
const FIRST_SECTION = /^## \d{3} /m;

const section = (status: Status, codes: readonly FailureCode[]): string => {
  const { title, headers } = STATUSES[status];
  const rows = codes.map((code) => `| \`${code}\` | ${FAILURES[code].meaning} | ${ADVICE[code]} |`);
  return [
    `## ${status} ${title}`,
    '',
    '| code | meaning | what to do |',
    '|---|---|---|',
    ...rows,
    ...(headers ? ['', headers] : []),
    '',
  ].join('\n');
};

/** Everything above the first section stays unchanged, because it is written by hand. */
export const createErrorsPage = (): string => {
  const byStatus = Map.groupBy(Object.keys(FAILURES) as FailureCode[], (code) => FAILURES[code].status);
  const sections = [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => section(status, codes));
  const page = readFileSync(PAGE, 'utf8');
  return page.slice(0, page.search(FIRST_SECTION)) + sections.join('\n');
};
