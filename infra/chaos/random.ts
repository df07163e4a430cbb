/** Random choices that depend only on a seed. */
export interface Random {
  /** Returns a number from 0 up to 1. */
  next(): number;
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, seeded, and good enough to choose faults with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('The list is empty.');
      return item;
    },
  };
}
