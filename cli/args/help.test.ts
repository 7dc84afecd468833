import { describe, expect, test } from 'bun:test';
import { flagOf, VARIABLES } from '../../src/config.ts';
import { NO_TERMINAL } from '../../test/no-terminal.ts';
import type { Command } from '../commands/command.ts';
import { ALL_WORDS, findCommand, GROUPS, unknownCommand } from '../commands/commands.ts';
import { helpFor, showHelp } from '../commands/run-command.ts';
import { displayWidth } from '../output/text.ts';
import { readInvocation } from './invocation.ts';

const help = (...args: string[]): string => showHelp(args, NO_TERMINAL);

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

describe('the help of a command', () => {
  test.each([...ALL_WORDS])('%s names every flag and every argument', (words) => {
    const { flags, shared, positions } = findCommand(words) as Command;
    const shown = help(...words.split(' '), '--help');
    for (const { flag } of [...flags, ...shared]) expect(shown).toContain(`\n  --${flag}`);
    for (const { name, choices } of positions) expect(shown).toContain(choices ? choices.join('|') : `<${name}>`);
  });

  test.each([...ALL_WORDS].filter((words) => words !== 'completion'))(
    '%s has an example that the argument parser accepts',
    (words) => {
      const command = findCommand(words) as Command;
      expect(help(...words.split(' '), '-h')).toEndWith(`\n  ${command.example}`);
      const [program, ...args] = wordsOf(command.example);
      expect([program, ...args].join(' ')).toStartWith(`petstore ${words}`);
      const given = { ...NO_RUN, args: args.slice(words.split(' ').length) };
      expect(() => readInvocation(command, given)).not.toThrow();
    },
  );

  test('shows types, allowed values, bounds and defaults', () => {
    const shown = help('pets', 'list', '--help');
    expect(shown).toMatch(/^List .*\. +needs pets:read$/m);
    expect(shown).toContain('--status <available|pending|sold>');
    expect(shown).toMatch(/--limit <n> .*From 1 to 100\. Default: 20\.$/m);
    const keys = help('keys', 'create', '--help');
    expect(keys).toContain('  petstore keys create --name <text> --plan <free|pro|business|enterprise> [flags]\n');
    expect(keys.replaceAll(/\n +/g, ' ')).toContain('One or more of pets:read, pets:write, orders:read, ');
    expect(keys.replaceAll(/\n +/g, ' ')).toMatch(/--expires-at <time> .* \(90d\)\./);
  });

  test('refers to fields by their flags, and does not mention headers', () => {
    expect(help('keys', 'create', '--help').replaceAll('\n', ' ')).toContain('--per-minute and --per-day are required');
    expect(help('pets', 'list', '--help')).not.toMatch(/\bLink\b|ETag|`/);
  });

  test.each([...ALL_WORDS])('%s says pet where the API says `animal`', (words) => {
    expect(help(...words.split(' '), '--help')).not.toMatch(/animal/i);
  });

  test('shows the removal date of a deprecated command, and its replacement', () => {
    expect(help('pets', 'get', '--help').replaceAll('\n', ' ')).toContain(
      'Deprecated: will be removed on 2030-12-05; use petstore pets list.',
    );
  });

  test('says where to put the address of the service if the command has its own --url', () => {
    expect(help('webhooks', 'create', '--help').replaceAll(/\n +/g, ' ')).toContain('petstore --url … webhooks create');
  });

  test.each([80, 40])('fits a terminal of %d columns', (columns) => {
    for (const words of ALL_WORDS) {
      const shown = showHelp(words.split(' '), { ...NO_TERMINAL, columns });
      // Code, labels and single words are never wrapped, so their lines may be wider than the terminal.
      const isWhole = (line: string) => /^ {2}(petstore|source|--)|^ *\S+$/.test(line);
      const long = shown.split('\n').filter((line) => displayWidth(line) > columns && !isWhole(line));
      expect(long).toEqual([]);
    }
  });
});

const NO_RUN = { args: [], before: new Map(), environment: {}, terminal: NO_TERMINAL };

describe('the help of the program', () => {
  test('is the same for --help, -h and help', () => {
    const shown = help('--help');
    for (const words of ALL_WORDS.filter((one) => !one.includes(' ')))
      expect(shown).toContain(`\n  petstore ${words} `);
    expect([help('-h'), help('help'), help('--demo', '--help'), help('--profile', 'work', '-h')]).toEqual(
      new Array(4).fill(shown),
    );
    expect(help('help', 'pets', 'create')).toBe(help('pets', 'create', '--help'));
  });

  test('shows every setting of the service with petstore serve', () => {
    const shown = help('serve', '--help');
    for (const name of Object.keys(VARIABLES)) expect(shown).toContain(flagOf(name) ?? name);
  });
});

describe('the command suggested after a mistake', () => {
  test.each([
    ['events follow --types x', 'petstore events follow --help'],
    ['--profile work pets export --format xml', 'petstore pets export --help'],
    ['--data-dir x', 'petstore serve --help'],
    ['login --profile /', 'petstore login --help'],
    ['-x', 'petstore --help'],
  ])('for %s is %s', (line, hint) => {
    expect(helpFor(line.split(' '))).toBe(hint);
  });

  test.each(['-v', '-V', 'version'])('for %s is --version', (word) => {
    expect(unknownCommand([word]).message).toBe(`unknown command "${word}"; did you mean petstore --version?`);
  });

  test('repeats an unknown single-dash flag as typed', () => {
    expect(unknownCommand(['-x', '-y']).message).toBe('unknown command "-x"');
  });
});

describe('the help of a group', () => {
  test.each([...GROUPS])('%s lists its commands', (group, verbs) => {
    for (const asked of [
      [group, '--help'],
      ['help', group],
    ]) {
      const shown = help(...asked);
      for (const verb of verbs) expect(shown).toMatch(new RegExp(`^  petstore ${group} ${verb} +\\S`, 'm'));
    }
  });

  test('is refused for an unknown command', () => {
    expect(() => help('pets', 'adopt', '--help')).toThrow('unknown command "pets adopt"');
  });
});
