/** Random text of twenty characters has about seventeen different ones. */
const FEWEST_CHARACTERS = 10;

/** Whether it is a shorter text, written twice or more, with or without a character between; the last time need not be complete. */
const isRepetition = (text: string): boolean => {
  for (let length = 1; length <= (text.length + 1) / 2; length += 1) {
    if (text.startsWith(text.slice(length))) return true;
  }
  return false;
};

/** Why somebody could guess this secret, as far as its own characters tell. */
export const guessableFault = (secret: string): string | undefined => {
  if (new Set(secret).size < FEWEST_CHARACTERS) return `has fewer than ${FEWEST_CHARACTERS} different characters`;
  return isRepetition(secret) ? 'repeats one pattern' : undefined;
};
