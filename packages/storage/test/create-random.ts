/** Seeded random numbers. */
export interface Random {
  /** Returns a whole number of at least 0 and below the bound. */
  below(bound: number): number;
  /** Returns one of the items. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Creates a Mulberry32 generator: small, seeded, and good enough to choose test cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function below(bound: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }
  return {
    below,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There are no items to pick from');
      return item;
    },
  };
}
