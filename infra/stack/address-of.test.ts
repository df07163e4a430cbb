import { describe, expect, it } from '@jest/globals';
import { addressOf } from './address-of.ts';

describe('addressOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['gleaner.lan', 'http://gleaner.lan:8080'],
    ['::1', 'http://[::1]:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
  ])('names what listens on %s as %s', (host, url) => {
    expect(addressOf(host, 8080)).toBe(url);
    expect(URL.canParse(url)).toBe(true);
  });
});
