import { CONNECTION_FLAGS, type Command } from '../commands/command.ts';
import { findCommand, GROUPS } from '../commands/commands.ts';
import { LOCAL_COMMANDS } from '../commands/local-commands.ts';
import { explainEach, WIDEST, wrap } from '../output/layout.ts';
import { createPaint } from '../output/paint.ts';
import type { Terminal } from '../output/terminal.ts';
import { type Flag, type RequestFlag, sentences } from './flag.ts';

const USUAL = 74;
const FEW = 5;

const placeholder = ({ value, choices = [] }: Flag): string => {
  if (value === undefined) return '';
  const isShort = choices.length > 0 && choices.length <= FEW && value !== 'a,b';
  return isShort ? ` <${choices.join('|')}>` : ` <${value}>`;
};

const inFlags = (text: string, flags: readonly Flag[]): string =>
  text.replaceAll(/`([^`]+)`( is\b)?/g, (_, name: string, is = '') => {
    const meant = (flags as readonly Partial<RequestFlag>[]).filter(
      ({ path, isOptionalPart }) => path?.at(-1) === name || (path?.includes(name) && !isOptionalPart),
    );
    const names = meant.map(({ flag }) => `--${flag}`).join(' and ') || name;
    return names + (meant.length > 1 && is ? ' are' : is);
  });

const meaningOf = (flag: Flag, flags: readonly Flag[]): string => {
  const { choices = [], default: standard } = flag;
  const isListed = choices.length > FEW || (choices.length > 0 && flag.value === 'a,b');
  return [
    inFlags(flag.meaning, flags),
    isListed ? `${flag.value === 'a,b' ? 'One or more of' : 'One of'} ${choices.join(', ')}.` : '',
    standard === undefined ? '' : `Default: ${standard.replaceAll('`', '').replace(/^none: (.*)$/, 'none ($1)')}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

const flagEntries = (shown: readonly Flag[], { flags }: Command): [label: string, meaning: string][] =>
  shown.map((flag) => [`--${flag.flag}${placeholder(flag)}`, meaningOf(flag, flags)]);

const synopsis = ({ words, positions, flags }: Command): string =>
  [
    `petstore ${words}`,
    ...positions.map(({ name, choices }) => (choices ? `<${choices.join('|')}>` : `<${name}>`)),
    ...flags.filter(({ required }) => required).map((flag) => `--${flag.flag}${placeholder(flag)}`),
    ...(flags.some(({ required }) => !required) ? ['[flags]'] : []),
  ].join(' ');

const widthOf = ({ columns = WIDEST }: Terminal): number => Math.min(columns, WIDEST);

export const commandHelp = (command: Command, terminal: Terminal): string => {
  const paint = createPaint(terminal.hasColours);
  const width = widthOf(terminal);
  const { summary, description, scope, positions, flags, shared, example } = command;
  const needs = scope && scope !== 'any key' ? `needs ${scope}` : '';
  const title = sentences(summary);
  const gap = Math.min(width, USUAL) - title.length - needs.length;
  const named = positions.map(({ name, meaning }): [string, string] => [`<${name}>`, inFlags(meaning, flags)]);
  const parts = [
    needs && gap >= 3
      ? [paint('bold', title) + ' '.repeat(gap) + paint('dim', needs)]
      : [...wrap(title, width).map((line) => paint('bold', line)), ...(needs ? [paint('dim', needs)] : [])],
    description ? wrap(inFlags(description, flags), width) : [],
    [`  ${paint('accent', synopsis(command))}`],
    explainEach([...named, ...flagEntries(flags, command)], width),
    explainEach(flagEntries(shared, command), width),
    [`  ${example}`],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
};

export const groupHelp = (group: string, terminal: Terminal): string => {
  const commands = (GROUPS.get(group) ?? []).flatMap((verb) => findCommand(`${group} ${verb}`) ?? []);
  const lines = explainEach(
    commands.map(({ words, summary }) => [`petstore ${words}`, sentences(summary)]),
    widthOf(terminal),
  );
  return [...lines, '', `  To see a command's flags: petstore ${group} <command> --help`].join('\n');
};

export const createUsage = (terminal: Terminal): string => {
  const paint = createPaint(terminal.hasColours);
  const width = widthOf(terminal);
  const oneWord = LOCAL_COMMANDS.filter(({ words }) => !words.includes(' '));
  const list = (entries: readonly (readonly [string, string])[]) => explainEach(entries, width).join('\n');
  return [
    paint('bold', 'petstore: a pet store service and its command line'),
    list(oneWord.map(({ words, summary }) => [`petstore ${words}`, `${summary.replaceAll('`', '')}.`])),
    list([
      ['petstore --version', 'Print the version and the commit.'],
      ['petstore --help', 'Print this help, or help for the group or command before it. Short form: -h.'],
    ]),
    paint('bold', 'Commands for a running service:'),
    list([...GROUPS].map(([group, verbs]) => [`petstore ${group}`, verbs.join(', ')])),
    paint('bold', 'Service and key:'),
    list([
      ...CONNECTION_FLAGS.map(({ flag, value, meaning }): [string, string] => [
        `--${flag} <${value}>`,
        meaning.replaceAll('`', ''),
      ]),
      ['PETSTORE_URL', 'Address of the service, if --url is not set. Default: http://127.0.0.1:8080.'],
      ['PETSTORE_API_KEY', 'The key, if --key-file is not set. Default: the value of PETSTORE_ADMIN_KEY.'],
      ['PETSTORE_PROFILE', 'The profile, if --profile is not set.'],
    ]),
    '  These flags also work before the command: petstore --profile work pets list --status available',
  ].join('\n\n');
};
