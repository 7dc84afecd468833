/** A change that breaks one rule: the broken rule, the text of the file, and what replaces the text. */
type Change = readonly [breaks: string, before: string, after: string];

/** Broken rules of one file outside the server, and the quick tests that must detect each of them. */
export type BrokenRules = { file: string; tests: readonly string[]; changes: readonly Change[] };
