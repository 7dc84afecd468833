import type { Completable, Flag } from '../args/flag.ts';
import type { CommandResult } from '../args/invocation.ts';
import { type Arguments, BadUsage } from '../args/read-arguments.ts';
import { didYouMean, suggest } from '../args/suggest.ts';
import type { Command } from './command.ts';
import { ALL_WORDS, findCommand, GROUPS } from './commands.ts';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { zshScript } from './completion-zsh.ts';

const HELP: Flag = { flag: 'help', meaning: 'Tell everything about it.' };

const firstSentence = (text: string): string =>
  text
    .replaceAll('`', '')
    .replace(/[.;] .*$/s, '')
    .replace(/\.$/, '');

const collect = (): Completable => {
  const commands = ALL_WORDS.map((words) => findCommand(words) as Command);
  const meaningOf = (words: string) => firstSentence(commands.find((one) => one.words === words)?.summary ?? '');
  const groups = [...GROUPS].map(([group, verbs]) => ({
    group,
    verbs: verbs.map((word) => ({ word, meaning: meaningOf(`${group} ${word}`) })),
  }));
  return {
    first: [
      ...groups.map(({ group, verbs }) => ({ word: group, meaning: verbs.map(({ word }) => word).join(', ') })),
      ...ALL_WORDS.filter((words) => !words.includes(' ')).map((word) => ({ word, meaning: meaningOf(word) })),
      { word: 'help', meaning: 'Tell what there is' },
    ],
    groups,
    commands: commands.map(({ words, flags, shared, positions }) => ({
      words,
      flags: [...flags, ...shared, HELP].map((flag) => ({ ...flag, meaning: firstSentence(flag.meaning) })),
      choices: positions[0]?.choices ?? [],
      takesFile: positions[0]?.name === 'file',
    })),
  };
};

const SCRIPTS: Record<string, (completable: Completable) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script for a shell. It holds everything: to complete a word no process is started. */
export const completionScript = (shell: string): string => {
  const script = SCRIPTS[shell];
  const known = Object.keys(SCRIPTS);
  if (script) return script(collect());
  throw new BadUsage(
    `there is no completion for "${shell}"${didYouMean(suggest(shell, known))}`,
    `petstore completion ${known.join('|')}`,
  );
};

/** `petstore completion bash`. */
export const printCompletion = async (_: Command, { positions }: Arguments): Promise<CommandResult> => ({
  exitCode: 0,
  out: completionScript(positions[0] ?? ''),
});
