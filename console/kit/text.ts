/** Letters that run from right to left, and characters that turn what follows them. */
const TURNING =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]|[\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** What would end an isolate before its end, or begin one within it: paragraph separators, which are control characters but one, and isolates. */
const ENDING = /[\p{Cc}\u2029\u2066-\u2069]/gu;

/** A name that somebody gave, to stand within our words: what direction it has ends with it (UAX 9, isolates). */
export const isolated = (name: string): string =>
  TURNING.test(name) ? `\u2068${name.replaceAll(ENDING, '')}\u2069` : name;

/** JSON with every integer digit for digit. */
export const showJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? JSON.rawJSON(String(one)) : one), indent);
