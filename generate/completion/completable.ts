import type { Flag } from '../../cli/args/flag.ts';

type Word = { word: string; meaning: string };

/** What a shell completes: first words, second words of groups, and the flags and values of each command. */
export type Completable = {
  first: readonly Word[];
  groups: readonly { group: string; verbs: readonly Word[] }[];
  commands: readonly { words: string; flags: readonly Flag[]; choices: readonly string[]; takesFile: boolean }[];
};
