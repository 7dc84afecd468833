const SYNONYMS: Record<string, readonly string[]> = {
  create: ['add', 'new', 'issue'],
  get: ['show', 'view'],
  list: ['ls'],
  delete: ['rm', 'remove'],
  update: ['edit', 'set'],
  follow: ['stream', 'tail'],
  me: ['whoami'],
};

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

const LONGEST = 40;

export const suggest = (given: string, known: Iterable<string>): string | undefined => {
  if (given.length > LONGEST) return undefined;
  const word = given.toLowerCase();
  const all = [...known];
  const ours = all.find((one) => SYNONYMS[one]?.includes(word));
  if (ours !== undefined) return ours;
  const starting = word.length > 1 ? all.filter((one) => one.startsWith(word)) : [];
  if (starting.length === 1) return starting[0];
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = all
    .map((one) => ({ one, slips: distance(word, one.toLowerCase()) }))
    .filter(({ slips }) => slips <= most);
  return near.sort((a, b) => a.slips - b.slips)[0]?.one;
};
