import type { Flag } from '../../cli/args/flag.ts';
import type { Completable } from './completion.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const values = ({ value, choices }: Flag): string => {
  if (value === undefined) return '';
  if (value === 'file') return ' -r -F';
  if (!choices) return ' -x';
  return value === 'a,b'
    ? ` -x -a ${quoted(`(__fish_append , ${choices.join(' ')})`)}`
    : ` -x -a ${quoted(choices.join(' '))}`;
};

const word = (condition: string, { word: name, meaning }: { word: string; meaning: string }): string =>
  `complete -c petstore -n ${quoted(condition)} -a ${quoted(name)} -d ${quoted(meaning)}`;

const commandLines = ({ words, flags, choices, takesFile }: Completable['commands'][number]): string[] => {
  const condition = `__petstore_is ${words}`;
  return [
    ...flags.map(
      (flag) =>
        `complete -c petstore -n ${quoted(condition)} -l ${flag.flag}${values(flag)} -d ${quoted(flag.meaning)}`,
    ),
    ...choices.map((name) => word(condition, { word: name, meaning: '' })),
    ...(takesFile ? [`complete -c petstore -n ${quoted(condition)} -F`] : []),
  ];
};

export const fishScript = ({ first, groups, commands }: Completable): string =>
  [
    '# petstore for fish: petstore completion fish | source',
    '',
    '# Whether the line starts with these words.',
    'function __petstore_is',
    '    set -l typed (commandline -opc)',
    '    set -e typed[1]',
    '    string match -q -- "$argv *" "$typed "',
    'end',
    '',
    '# Whether the line consists of exactly these words.',
    'function __petstore_only',
    '    set -l typed (commandline -opc)',
    '    set -e typed[1]',
    '    test "$typed" = "$argv"',
    'end',
    '',
    'complete -c petstore -f',
    ...first.map((one) => word('__petstore_only', one)),
    ...groups.flatMap(({ group, verbs }) => verbs.map((verb) => word(`__petstore_only ${group}`, verb))),
    ...commands.flatMap(commandLines),
    '',
  ].join('\n');
