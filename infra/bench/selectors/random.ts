/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** Returns an integer from 0 to below the limit. */
  readonly below: (limit: number) => number;
}

/** Creates a generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}
