import type { Flag } from '../../cli/args/flag.ts';
import type { Completable } from './completion.ts';

const escapeSpec = (text: string): string => text.replaceAll(/[:[\]]/g, '\\$&').replaceAll("'", "'\\''");

const action = ({ value, choices = [] }: Flag): string => {
  if (value === 'file') return '_files';
  if (choices.length === 0) return ' ';
  const words = choices.map(escapeSpec).join(' ');
  return value === 'a,b' ? `{_sequence compadd - ${words}}` : `(${words})`;
};

const flagSpec = (flag: Flag): string =>
  flag.value === undefined
    ? `'--${flag.flag}[${escapeSpec(flag.meaning)}]'`
    : `'--${flag.flag}=[${escapeSpec(flag.meaning)}]:${escapeSpec(flag.value)}:${action(flag)}'`;

const described = (words: readonly { word: string; meaning: string }[]): string =>
  words.map(({ word, meaning }) => `'${word}:${escapeSpec(meaning)}'`).join(' ');

const positionSpec = ({ choices, takesFile }: Completable['commands'][number]): string[] => {
  if (takesFile) return ["'1:file:_files'"];
  return choices.length > 0 ? [`'1: :(${choices.join(' ')})'`] : [];
};

const commandCase = (command: Completable['commands'][number]): string =>
  `    '${command.words}') _arguments ${[...command.flags.map(flagSpec), ...positionSpec(command)].join(' ')};;`;

const groupCase = ({ group, verbs }: Completable['groups'][number]): string =>
  `    '${group}') if (( CURRENT == 3 )); then known=( ${described(verbs)} ); _describe command known; return; fi; name="$words[2] $words[3]"; drop=2;;`;

export const zshScript = ({ first, groups, commands }: Completable): string => `#compdef petstore
# petstore for zsh: source <(petstore completion zsh), or put it in a directory of $fpath as _petstore

_petstore() {
  local -a known
  local name=$words[2] drop=1
  if (( CURRENT == 2 )); then known=( ${described(first)} ); _describe command known; return; fi
  case $name in
${groups.map(groupCase).join('\n')}
  esac
  shift $drop words; (( CURRENT -= drop ))
  case $name in
${commands.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;
