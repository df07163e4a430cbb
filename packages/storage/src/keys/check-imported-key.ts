import { AppError } from '@gleaner/contracts';

const MIN_LENGTH = 20;
const MAX_LENGTH = 200;
const MIN_ENTROPY_BITS = 64;
/** Token of an Authorization header (RFC 6750, section 2.1). */
const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Throws INVALID_REQUEST, without showing the key, if an operator-chosen key could be guessed or not be sent. */
export function checkImportedKey(key: string): void {
  const problem = problemOf(key);
  if (problem === null) return;
  throw new AppError('INVALID_REQUEST', {
    message: `The given API key ${problem}.`,
    suggestion: 'Generate one with: openssl rand -hex 32',
  });
}

function problemOf(key: string): string | null {
  if (key.length < MIN_LENGTH) return `is shorter than ${MIN_LENGTH} characters`;
  if (key.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!BEARER_TOKEN.test(key))
    return 'has characters other than letters, digits and . _ ~ + / - (and = at its end)';
  if (entropyBits(key) < MIN_ENTROPY_BITS) return 'repeats itself too much to be secret';
  return null;
}

/** Returns the Shannon entropy of the characters times their number: an upper bound, enough to reject "aaaa…". */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}
