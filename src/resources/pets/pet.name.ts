/** The place of an animal among the names: those of one name are told apart by their id. */
export type NamePosition = { foldedName: string; id: bigint };

/** So many characters of a name put it in its place: an index holds no more of it. */
const CHARACTERS = 64;

/**
 * What names are ordered and found by: NFKC, small letters, cut off. Made here and not by an engine, so that all engines
 * agree. At the end of a word the language has another small sigma, by which the beginning of a name would not be found.
 */
export const foldName = (name: string): string => {
  const folded = name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return folded.length <= CHARACTERS ? folded : [...folded].slice(0, CHARACTERS).join('');
};

const LAST_CODE_POINT = 0x10ffff;
const [BEFORE_SURROGATES, BEHIND_SURROGATES] = [0xd7ff, 0xe000];

/**
 * The first text behind all that begin with `prefix`, undefined if there is none. By the order of code points, which is
 * that of the bytes of UTF-8 and so of the engines; JavaScript compares by another.
 */
export const behindPrefix = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...points, last === BEFORE_SURROGATES ? BEHIND_SURROGATES : last + 1);
};
