import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_BYTES = 32;
/** 62 ** 43 > 2 ** 256. */
const KEY_DIGITS = 43;
const SHOWN_CHARACTERS = 9;

/** A new API key: `gl_` and 256 random bits in base 62. */
export function generateKey(): string {
  return `gl_${toBase62(randomBytes(KEY_BYTES))}`;
}

/** What is kept of a key, and looked up: its SHA-256 in lower-case hex. The key is random, so no salt is needed. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** How a key begins, to tell keys apart in a list. */
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
