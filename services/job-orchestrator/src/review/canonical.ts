import { createHash } from 'node:crypto';

/** Pieces after which a step ends, and characters of them: a few milliseconds of work. */
const STEP_PIECES = 4096;
const STEP_CHARACTERS = 256 * 1024;

/**
 * Yields the JSON of a value in pieces, with the members of every object in one order and without those that are nothing.
 */
function* piecesOf(value: unknown): Generator<string, void> {
  if (Array.isArray(value)) {
    let separator = '[';
    for (const each of value) {
      yield separator;
      yield* piecesOf(each);
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => !isNothing(member));
    members.sort(([one], [other]) => (one < other ? -1 : 1));
    let separator = '{';
    for (const [name, member] of members) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* piecesOf(member);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** Returns the hash of a value behind each of some texts; in small steps, however large the value is. */
export function* hashesOf(value: unknown, texts: readonly string[]): Generator<undefined, number[]> {
  const hashes = texts.map((text) => createHash('sha1').update(text));
  let pieces = 0;
  let gathered = '';
  for (const piece of piecesOf(value)) {
    gathered += piece;
    pieces += 1;
    if (pieces < STEP_PIECES && gathered.length < STEP_CHARACTERS) continue;
    for (const hash of hashes) hash.update(gathered);
    [pieces, gathered] = [0, ''];
    yield undefined;
  }
  return hashes.map((hash) => numberOf(hash.update(gathered).digest()));
}

/** Returns the hash of a text. */
export function hashOf(text: string): number {
  return numberOf(createHash('sha1').update(text).digest());
}

/** Returns 52 bits of a hash: numbers take less memory than texts. */
function numberOf(digest: Buffer): number {
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4);
}

/** Tells whether a value is as good as a missing one. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
