import { describe, expect, it } from '@jest/globals';
import { generateKey, hashKey, prefixOf } from './generate-key.ts';

describe('generateKey', () => {
  it('returns gl_ and 43 base-62 characters, different each time', () => {
    const keys = Array.from({ length: 1000 }, generateKey);
    for (const key of keys) expect(key).toMatch(/^gl_[0-9A-Za-z]{43}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('uses every character of the alphabet', () => {
    const text = Array.from({ length: 200 }, () => generateKey().slice(4)).join('');
    expect(new Set(text).size).toBe(62);
  });
});

describe('hashKey', () => {
  it('returns the SHA-256 of the text in hex', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('prefixOf', () => {
  it('returns the first nine characters', () => {
    expect(prefixOf('gl_0123456789')).toBe('gl_012345');
  });
});
