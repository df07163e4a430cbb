/** Random choices that depend only on a seed. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns an integer from 0 to below the bound. */
  below(bound: number): number;
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** Returns one of the items, of which there must be one. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Creates a generator (mulberry32): small, and good enough to choose test cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    between: (min, max) => min + below(max - min + 1),
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error('The list is empty.');
      return items[below(items.length)] as Item;
    },
  };
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns seeds for tests of random input, which print them in their names. `npm run test:long` takes others each day;
 * FUZZ_SEED=<first seed> repeats a run. Every other command takes the same ones each time.
 */
export function fuzzSeeds(count: number): number[] {
  const isLong = process.env.npm_lifecycle_event === 'test:long';
  const chosen = isLong ? Math.floor(Date.now() / DAY_MS) * 1000 : 1000;
  const first = Number(process.env.FUZZ_SEED ?? chosen);
  return Array.from({ length: count }, (_, index) => first + index);
}
