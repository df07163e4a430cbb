/** Returns a number from 0 up to 1 that depends on the keys and on nothing else: equal keys, equal number. */
export function noise(...keys: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const key of keys) {
    state = Math.imul(state ^ (key >>> 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
    state = (state ^ (state >>> 16)) >>> 0;
  }
  return state / 2 ** 32;
}

/** Returns one of the items by a number from 0 up to 1. */
export function choose<Item>(items: readonly Item[], at: number): Item {
  const item = items[Math.floor(at * items.length)];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}

/** Returns the item whose part of 1 a number falls into; the parts have to add up to 1. */
export function chooseByPart<Item>(parts: readonly (readonly [Item, number])[], at: number): Item {
  let sum = 0;
  for (const [item, part] of parts) {
    sum += part;
    if (at < sum) return item;
  }
  return choose(parts, 0.999)[0];
}
