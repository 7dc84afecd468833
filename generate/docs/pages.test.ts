import { describe, expect, test } from 'bun:test';
import { flagOf, VARIABLES, type Variable } from '../../src/config.ts';
import { FAILURES, type FailureCode } from '../../src/kernel/failure.ts';
import { createConfigPage } from './config-page.ts';
import { createErrorsPage } from './errors-page.ts';
import { ADVICE } from './failure-words.ts';

const cellsOf = (page: string, start: string): string[] =>
  (page.split('\n').find((line) => line.startsWith(start)) ?? '')
    .split(' | ')
    .map((cell) => cell.replaceAll(/^\| | \|$/g, ''));

describe('the page of settings', () => {
  const page = createConfigPage();
  const settings = Object.entries(VARIABLES as Record<string, Variable>);

  test.each(settings)('has the name, the flag, the default and the meaning of %s', (name, variable) => {
    const [shown, flag, standard, meaning] = cellsOf(page, `| \`${name}\``);
    expect(shown).toBe(variable.kind ? `\`${name}\` or \`_FILE\`` : `\`${name}\``);
    expect(flag).toBe(flagOf(name) ? `\`${flagOf(name)}\`` : 'none (secret)');
    expect(standard).toBe(variable.default === undefined ? (variable.shown ?? 'none') : `\`${variable.default}\``);
    expect(meaning).toBe(variable.meaning);
  });

  test('has settings with and without each of these', () => {
    const secrets = settings.filter(([name]) => !flagOf(name)).map(([name]) => name);
    expect(secrets).toContain('PETSTORE_ADMIN_KEY');
    expect(cellsOf(page, '| `PETSTORE_ADMIN_KEY`').slice(0, 2)).toEqual([
      '`PETSTORE_ADMIN_KEY` or `_FILE`',
      'none (secret)',
    ]);
    expect(cellsOf(page, '| `PORT`').slice(0, 3)).toEqual(['`PORT`', '`--port`', '`8080`']);
  });
});

describe('the page of errors', () => {
  const page = createErrorsPage();

  test.each(Object.keys(FAILURES) as FailureCode[])('says what %s means and what to do', (code) => {
    expect(cellsOf(page, `| \`${code}\` |`)).toEqual([`\`${code}\``, FAILURES[code].meaning, ADVICE[code]]);
  });

  test('shows the meaning of a code as the title of its problem details', () => {
    expect(page).toContain(`"title": "${FAILURES.invalid_request.meaning}",`);
  });

  test('has one section for each status, in order, with its headers', () => {
    const statuses = [...page.matchAll(/^## (\d{3}) /gm)].map(([, status]) => Number(status));
    expect(statuses).toEqual([...new Set(Object.values(FAILURES).map(({ status }) => status))].sort((a, b) => a - b));
    const sectionOf = (status: number) => page.split(`## ${status} `)[1]?.split('\n## ')[0];
    expect(sectionOf(429)).toContain('\n\n`Retry-After` is the number of seconds');
    expect(sectionOf(401)).toContain('\n\n`WWW-Authenticate` names');
  });
});
