/** A change that breaks one rule: what is broken, the text to replace in the file, and the new text. */
type Change = readonly [breaks: string, before: string, after: string];

/** Broken rules of one file outside the server, and the quick tests that must detect each of them. */
export type BrokenRules = { file: string; tests: readonly string[]; changes: readonly Change[] };
