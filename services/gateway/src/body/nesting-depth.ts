const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether arrays and objects of a valid JSON text lie more than `maxDepth` deep in one another; one pass, no recursion. */
export function isDeeperThan(json: Uint8Array, maxDepth: number): boolean {
  // Shorter than its own brackets would be: most bodies that matter end here or soon after.
  if (json.length <= 2 * maxDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}
