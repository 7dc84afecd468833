const isExact = (text: string, typed: string): boolean => text === typed;
const isPrefix = (text: string, typed: string): boolean => text.startsWith(typed);
const hasWord = (text: string, typed: string): boolean => ` ${text} `.includes(` ${typed} `);
const hasWordPrefix = (text: string, typed: string): boolean => ` ${text}`.includes(` ${typed}`);
const hasAllWords = (text: string, typed: string): boolean => typed.split(/\s+/).every((word) => text.includes(word));

/** The best kind of match comes first. */
const KINDS = [isExact, isPrefix, hasWord, hasWordPrefix, hasAllWords];

/** Returns the items that match what the user typed, with the best and shortest matches first. */
export const ranked = <Item>(items: readonly Item[], typed: string, textOf: (item: Item) => string): Item[] => {
  const meant = typed.trim().toLowerCase();
  const kindOf = (item: Item) => KINDS.findIndex((fits) => fits(textOf(item).toLowerCase(), meant));
  return items
    .map((item) => ({ item, kind: kindOf(item), length: meant === '' ? 0 : textOf(item).length }))
    .filter(({ kind }) => kind >= 0)
    .sort((one, other) => one.kind - other.kind || one.length - other.length)
    .map(({ item }) => item);
};
