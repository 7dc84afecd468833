const WITH_A_VALUE = new Set(['-t', '--test-name-pattern']);

export const readRunOptions = (words: readonly string[]) => {
  const read = { busyLoops: 0, options: [] as string[], filters: [] as string[] };
  const rest = words.flatMap((word) => (word.startsWith('--busy=') ? word.split('=') : [word]));
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--busy') read.busyLoops = readCount(rest.shift());
    else if (WITH_A_VALUE.has(word)) read.options.push(word, rest.shift() ?? '');
    else if (word.startsWith('-')) read.options.push(word);
    else read.filters.push(word.replace(/^\.\//, ''));
  }
  return read;
};

const readCount = (word = ''): number => {
  if (!/^\d{1,3}$/.test(word)) throw new Error(`--busy needs a number of busy loops, not "${word}"`);
  return Number(word);
};
