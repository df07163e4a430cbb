import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_BYTES = 32;
/** Enough digits, since 62 ** 43 > 2 ** 256. */
const KEY_DIGITS = 43;
const SHOWN_CHARACTERS = 9;

/** Returns a new API key: `gl_` and 256 random bits in base 62. */
export function generateKey(): string {
  return `gl_${toBase62(randomBytes(KEY_BYTES))}`;
}

/** Returns the SHA-256 of a key in lower-case hex, which is stored and looked up. Keys are random, so it needs no salt. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** Returns the beginning of a key, which distinguishes keys in a list. */
export function prefixOf(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let place = 0; place < KEY_DIGITS; place += 1) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}
