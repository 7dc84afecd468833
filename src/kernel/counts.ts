export const createCounts = <Name>() => {
  const counts = new Map<Name, number>();
  let total = 0;
  const of = (name: Name): number => counts.get(name) ?? 0;
  return {
    of,
    total: (): number => total,
    add(name: Name, by: 1 | -1): void {
      total += by;
      const count = of(name) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
};

export type Counts<Name> = ReturnType<typeof createCounts<Name>>;
