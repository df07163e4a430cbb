/**
 * Returns the number of words to remove and to add that make one list of another, by Myers' algorithm, which is quick for
 * lists that are much alike.
 */
export function editsBetween(from: readonly string[], to: readonly string[]): number {
  const max = from.length + to.length;
  /** For each diagonal, the farthest position in `from` that so many edits reach. */
  const farthest = new Int32Array(2 * max + 2);
  for (let edits = 0; edits <= max; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const before = farthest[max + diagonal - 1] ?? 0;
      const after = farthest[max + diagonal + 1] ?? 0;
      const isAdded = diagonal === -edits || (diagonal !== edits && before < after);
      let x = isAdded ? after : before + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1;
      farthest[max + diagonal] = x;
      if (x >= from.length && x - diagonal >= to.length) return edits;
    }
  }
  return max;
}
