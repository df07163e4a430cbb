/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** An integer from 0 up to, but not, the limit. */
  readonly below: (limit: number) => number;
  /** One of the items. */
  readonly pick: <T>(items: readonly T[]) => T;
}

/** A generator of the mulberry32 kind. */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
