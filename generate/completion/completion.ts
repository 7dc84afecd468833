import type { Flag } from '../../cli/args/flag.ts';
import type { Command } from '../../cli/commands/command.ts';
import { ALL_WORDS, findCommand, GROUPS } from '../../cli/commands/commands.ts';

const HELP: Flag = { flag: 'help', meaning: 'Show help.' };

const firstSentence = (text: string): string =>
  text
    .replaceAll('`', '')
    .replace(/[.;] .*$/s, '')
    .replace(/\.$/, '');

export const collectCompletable = () => {
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
      { word: 'help', meaning: 'Show help' },
    ],
    groups,
    commands: commands.map(({ words, flags, shared, positions }) => ({
      words,
      flags: [...flags, ...shared, HELP].map((flag): Flag => ({ ...flag, meaning: firstSentence(flag.meaning) })),
      choices: positions[0]?.choices ?? [],
      takesFile: positions[0]?.name === 'file',
    })),
  };
};

export type Completable = ReturnType<typeof collectCompletable>;
