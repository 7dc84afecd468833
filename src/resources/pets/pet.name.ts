/** Position of a pet in a list by name. */
export type NamePosition = { foldedName: string; id: bigint };

/** Characters of a name that count for its order and are indexed. */
const CHARACTERS = 64;

/**
 * Folds a name for sorting and search: NFKC, lower case, truncated. Done here so that all engines agree. The final
 * sigma is replaced: it depends on where a text ends, and a prefix ends earlier than the name.
 */
export const foldName = (name: string): string => {
  const folded = name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return folded.length <= CHARACTERS ? folded : [...folded].slice(0, CHARACTERS).join('');
};

const LAST_CODE_POINT = 0x10ffff;
const [BEFORE_SURROGATES, AFTER_SURROGATES] = [0xd7ff, 0xe000];

/**
 * Returns the first text after all texts that start with `prefix`; undefined if there is none. Uses code point order,
 * as the engines do (UTF-8 bytes) and JavaScript does not.
 */
export const afterPrefix = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...points, last === BEFORE_SURROGATES ? AFTER_SURROGATES : last + 1);
};
