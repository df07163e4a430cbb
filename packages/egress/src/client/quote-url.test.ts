import { describe, expect, it } from '@jest/globals';
import { quoteUrl } from './quote-url.ts';

describe('quoteUrl', () => {
  it.each([
    ['https://shop.example/list?id=7', 'https://shop.example/list?id=7'],
    ['https://user:s3cret@shop.example/a?b=c', 'https://shop.example/a?b=c'],
    ['https://shop.example/a?b=c#part', 'https://shop.example/a?b=c'],
    ['http://a.example/?to=http%3A%2F%2Fuser%3As3cret%40b.example', 'http://a.example/?…'],
    ['http://[', 'a malformed URL'],
  ])('quotes %s as %s', (url, quoted) => {
    expect(quoteUrl(url)).toBe(quoted);
  });

  it('cuts a long URL', () => {
    const quoted = quoteUrl(new URL(`https://shop.example/?q=${'a'.repeat(8_000)}`));
    expect(quoted).toMatch(/^https:\/\/shop\.example\/\?q=a+…$/);
    expect(quoted).toHaveLength(301);
  });
});
