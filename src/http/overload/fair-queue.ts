type Entry<Item> = { item: Item; since: number };

export const createFairQueue = <Item>() => {
  const lines = new Map<string, Entry<Item>[]>();
  let size = 0;

  const shift = (name: string, line: Entry<Item>[]): Item => {
    const { item } = line.shift() as Entry<Item>;
    if (line.length === 0) lines.delete(name);
    size -= 1;
    return item;
  };

  return {
    size: (): number => size,

    add(name: string, item: Item, now: number): void {
      lines.getOrInsert(name, []).push({ item, since: now });
      size += 1;
    },

    next(): Item | undefined {
      for (const [name, line] of lines) {
        lines.delete(name);
        if (line.length > 1) lines.set(name, line);
        return shift(name, line);
      }
      return undefined;
    },

    takeLate(then: number, most: number): Item[] {
      const late: Item[] = [];
      const share = most / lines.size;
      for (const [name, line] of lines) {
        while (size > most && line.length > share && (line[0]?.since ?? then) < then) late.push(shift(name, line));
      }
      return late;
    },
  };
};
