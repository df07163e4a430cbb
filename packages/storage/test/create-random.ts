/** Random numbers that a seed repeats. */
export interface Random {
  /** A whole number from 0 to one less than the bound. */
  below(bound: number): number;
  /** One of them. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, seeded, good enough to choose test cases with. */
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
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
  };
}
