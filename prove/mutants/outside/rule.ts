type Change = readonly [breaks: string, before: string, after: string];

export type BrokenRules = { file: string; tests: readonly string[]; changes: readonly Change[] };
