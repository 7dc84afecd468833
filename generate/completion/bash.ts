import type { Flag } from '../../cli/args/flag.ts';
import type { Completable } from './completion.ts';

const FILES = 'compopt -o filenames; COMPREPLY=( $(compgen -f -- "$cur") )';

const valueCase = ({ flag, value, choices }: Flag): string => {
  if (choices) return `--${flag}) __petstore_values ${value === 'a,b' ? 'list' : 'one'} '${choices.join(' ')}';;`;
  return value === 'file' ? `--${flag}) ${FILES};;` : `--${flag}) :;;`;
};

const commandCase = ({ words, flags, choices, takesFile }: Completable['commands'][number]): string => {
  const valued = flags.filter(({ value }) => value !== undefined).map(valueCase);
  const rest = `*) __petstore_words '${flags.map(({ flag }) => `--${flag}`).join(' ')}' '${choices.join(' ')}'${takesFile ? `; [[ $cur == -* ]] || { ${FILES}; }` : ''};;`;
  return `    '${words}') case $prev in\n${[...valued, rest].map((line) => `      ${line}`).join('\n')}\n      esac;;`;
};

const groupCase = ({ group, verbs }: Completable['groups'][number]): string =>
  `    '${group}') (( last == 2 )) && { __petstore_words --help '${verbs.map(({ word }) => word).join(' ')}'; return; }; name="$name \${line[2]}";;`;

export const bashScript = (shown: Completable): string => `# petstore for bash: source <(petstore completion bash)

# Completes flags after a dash, and words otherwise.
__petstore_words() {
  if [[ $cur == -* ]]; then COMPREPLY=( $(compgen -W "$1" -- "$cur") ); else COMPREPLY=( $(compgen -W "$2" -- "$cur") ); fi
}

# Completes one of the values. In a list, completes the value after the last comma.
__petstore_values() {
  local head='' kept='' value
  [[ $1 == list && $cur == *,* ]] && head="\${cur%,*},"
  # Bash splits words at colons, so the text before the last colon is already on the line.
  [[ $cur == *:* ]] && kept="\${cur%"\${cur##*:}"}"
  for value in $2; do
    value="$head$value"
    [[ $value == "$cur"* ]] && COMPREPLY+=( "\${value#"$kept"}" )
  done
}

_petstore() {
  local cur prev name last
  local -a line
  read -ra line <<< "\${COMP_LINE:0:COMP_POINT}"
  [[ \${COMP_LINE:0:COMP_POINT} == *' ' ]] && line+=( '' )
  last=$(( \${#line[@]} - 1 ))
  cur=\${line[last]} prev=\${line[last - 1]} name=\${line[1]}
  COMPREPLY=()
  (( last == 1 )) && { __petstore_words '--help --version' '${shown.first.map(({ word }) => word).join(' ')}'; return; }
  case $name in
${shown.groups.map(groupCase).join('\n')}
  esac
  case $name in
${shown.commands.map(commandCase).join('\n')}
  esac
}

complete -F _petstore petstore
`;
