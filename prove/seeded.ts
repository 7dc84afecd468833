/**
 * A linear congruential generator modulo 2^32, with the constants from Numerical Recipes. Its upper bits are the most
 * random.
 */
export const createSeeded = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (most: number): number => Math.floor(next() * most);
  return {
    below,
    one: <Each>(of: readonly Each[]): Each | undefined => of[below(of.length)],
    shuffled<Each>(of: readonly Each[]): Each[] {
      const all = [...of];
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = below(at + 1);
        [all[at], all[other]] = [all[other] as Each, all[at] as Each];
      }
      return all;
    },
  };
};

export type Seeded = ReturnType<typeof createSeeded>;

export const seedOfRun = (): number => Number(process.env.PROVE_SEED ?? Math.floor(Math.random() * 2 ** 31));
