/** Mutants that nobody could tell from the code as it is, and why. */
export const EQUIVALENTS: readonly { file: string; on: string; change: string; reason: string }[] = [];
