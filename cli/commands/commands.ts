import { BadUsage } from '../args/read-arguments.ts';
import { suggest } from '../args/suggest.ts';
import { ARGUMENTS } from '../messages.ts';
import { CONNECTION_FLAGS, type Command, describeOperation, OPERATIONS } from './command.ts';
import { LOCAL_COMMANDS } from './local-commands.ts';

const LOCAL: ReadonlyMap<string, Command> = new Map(LOCAL_COMMANDS.map((command) => [command.words, command]));

const groupOf = (words: string): string => words.split(' ')[0] as string;

export const ALL_WORDS: readonly string[] = (() => {
  const words = [...OPERATIONS.keys(), ...LOCAL.keys()];
  const groups = [...new Set(words.map(groupOf))];
  return words.sort((a, b) => groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b)));
})();

export const GROUPS: ReadonlyMap<string, readonly string[]> = new Map(
  ALL_WORDS.filter((words) => words.includes(' ')).map((words) => [
    groupOf(words),
    ALL_WORDS.filter((other) => other.startsWith(`${groupOf(words)} `)).map((other) => other.split(' ')[1] as string),
  ]),
);

export const findCommand = (words: string): Command | undefined => {
  const contract = OPERATIONS.get(words);
  return contract ? describeOperation(contract) : LOCAL.get(words);
};

export const nameOf = (args: readonly string[]): string => args.slice(0, LOCAL.has(args[0] ?? '') ? 1 : 2).join(' ');

const BEFORE = new RegExp(`^--(${CONNECTION_FLAGS.map(({ flag }) => flag).join('|')})(?:=(.*))?$`, 's');

export const takeBefore = (args: readonly string[]): { before: ReadonlyMap<string, string>; rest: string[] } => {
  const before = new Map<string, string>();
  const rest = [...args];
  for (let match = BEFORE.exec(rest[0] ?? ''); match; match = BEFORE.exec(rest[0] ?? '')) {
    const [, flag = '', inline] = match;
    rest.shift();
    const value = inline ?? rest.shift();
    if (value === undefined) throw new BadUsage(ARGUMENTS.needsValue(flag), 'petstore --help');
    before.set(flag, value);
  }
  return { before, rest };
};

const guess = ([first = '', second = '']: readonly string[]): string | undefined => {
  const pairs: [string, string][] = [
    [first, second],
    [second, first],
  ];
  for (const [group, verb] of pairs) {
    const known = suggest(group, GROUPS.keys());
    const verbs = (known && GROUPS.get(known)) || [];
    const meant = verbs.includes(verb) ? verb : suggest(verb, verbs);
    if (known && meant) return `${known} ${meant}`;
  }
  return GROUPS.has(first) ? undefined : suggest(first, [...GROUPS.keys(), ...LOCAL.keys()]);
};

export const unknownCommand = (args: readonly string[]): BadUsage => {
  const words = args.slice(0, 2).filter((word, index) => index === 0 || !word.startsWith('-'));
  if (['-v', '-V', 'version'].includes(words[0] ?? '')) {
    return new BadUsage(ARGUMENTS.unknownCommand(words[0] as string, '--version'));
  }
  const hint = GROUPS.has(words[0] ?? '') ? `petstore ${words[0]}` : 'petstore --help';
  return new BadUsage(ARGUMENTS.unknownCommand(words.join(' '), guess(words)), hint);
};
