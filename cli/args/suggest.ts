/** Words that other programs have for what is meant here. */
const OTHER_WORDS: Record<string, string> = {
  add: 'create',
  new: 'create',
  issue: 'create',
  show: 'get',
  view: 'get',
  ls: 'list',
  rm: 'delete',
  remove: 'delete',
  edit: 'update',
  set: 'update',
  stream: 'follow',
  tail: 'follow',
  whoami: 'me',
};

/** How many letters must be put in, left out, changed or swapped with the next to get from one word to the other. */
const distance = (from: string, to: string): number => {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + same,
        swapped ? (beforeLast?.[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last?.[to.length] ?? 0;
};

/** What is longer is no slip of the fingers, and would take long to compare. */
const LONGEST = 40;

/** The one of the known words that was probably meant: another word for it, its beginning, or a few slips away. */
export const suggest = (given: string, known: Iterable<string>): string | undefined => {
  if (given.length > LONGEST) return undefined;
  const word = given.toLowerCase();
  const all = [...known];
  const other = OTHER_WORDS[word];
  if (other !== undefined && all.includes(other)) return other;
  const starting = word.length > 1 ? all.filter((one) => one.startsWith(word)) : [];
  if (starting.length === 1) return starting[0];
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = all
    .map((one) => ({ one, slips: distance(word, one.toLowerCase()) }))
    .filter(({ slips }) => slips <= most);
  return near.sort((a, b) => a.slips - b.slips)[0]?.one;
};

/** The end of a sentence that says what was not understood. */
export const didYouMean = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
