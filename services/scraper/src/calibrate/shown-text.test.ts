import { Budget, parseDocument, readPageFacts } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { hashOfText, isSameText, thinTextOf } from './shown-text.ts';

const thin = (html: string) => thinTextOf(readPageFacts(parseDocument(html), new Budget()));
const at = (path: string, text: string) => ({ text, url: `https://shop.example${path}` });

describe('thinTextOf', () => {
  it('takes the title, the text, what is in links, and the addresses of images', () => {
    const html =
      '<title>Shop</title><nav><a>Home</a></nav><p>Have a look around</p><img src="/k.png"><script>x</script>';
    expect(thin(html)?.split(/\s+/)).toEqual(['Shop', 'Home', 'Have', 'a', 'look', 'around', '/k.png']);
  });

  it.each([
    ['next to no words', '<p>Kettle 19.90'],
    ['much text', `<p>${'words about kettles '.repeat(60)}`],
    ['many links', `<a>${'words about kettles '.repeat(250)}</a>`],
  ])('takes no page with %s', (_name, html) => {
    expect(thin(html)).toBeUndefined();
  });
});

describe('isSameText', () => {
  const sorry = 'Sorry, have a look at our kettles';

  it.each([
    ['the words of the URL', `${sorry} instead of k2`, `${sorry} instead of bcdfg`],
    ['the words of the URL as they are written', `${sorry} /k2%20b`, `${sorry} /bcdfg`],
    ['a time and a date', `${sorry} 2026-07-01 10:20`, `${sorry} 2026-07-02 11:21:07`],
    ['ids of requests', `${sorry} 8f2a91c0d78f2a91`, `${sorry} 17bd33ea0c17bd33`],
    [
      'UUIDs',
      `${sorry} 0b0e5a3c-11f2-4a6b-9c8d-7e6f5a4b3c2d`,
      `${sorry} 1c1f6b4d-22a3-4b7c-8d9e-8f7a6b5c4d3e`,
    ],
  ])('overlooks %s', (_name, one, other) => {
    expect(isSameText(at('/list/k2%20b', one), at('/list/bcdfg', other))).toBe(true);
    expect(isSameText(at('/list/bcdfg', other), at('/list/k2%20b', one))).toBe(true);
  });

  it.each([
    ['a price', 'Kettle in stock for 19.90', 'Kettle in stock for 0.00'],
    ['one more word', `${sorry} and cups`, sorry],
    ['a word more often', `${sorry} kettles`, sorry],
    ['the name of a model', 'Headphones WH1000XM5 in stock now', 'Headphones WH1000XM4 in stock now'],
    [
      'a number of the URL',
      'July 7 has no events, see others',
      'July 9 has no events, see others',
      '/july/7',
    ],
    ['an ISBN', 'Emma ISBN 9780141439587', 'Emma ISBN 9780141439580'],
  ])('does not overlook %s', (_name, one, other, path = '/list/k2') => {
    expect(isSameText(at(path, one), at('/list/9', other))).toBe(false);
    expect(isSameText(at('/list/9', other), at(path, one))).toBe(false);
  });

  it('keeps words of the URL that are on both pages', () => {
    expect(isSameText(at('/kettles/k2', sorry), at('/kettles/bcdfg', sorry))).toBe(true);
    expect(isSameText(at('/our/kettles', sorry), at('/our/bcdfg', sorry))).toBe(true);
  });
});

it('gives texts one hash that differ in what is new on each visit alone', () => {
  const [one, other, another] = ['at 10:20', 'at 11:30', 'at noon'].map((end) =>
    hashOfText(`There is nothing, ${end}`),
  );
  expect([one === other, one === another]).toEqual([true, false]);
});
