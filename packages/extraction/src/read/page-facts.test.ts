import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import type { PageFacts } from '../dom/page-facts.ts';
import { parseDocument } from '../dom/parse-document.ts';
import type { Projection } from '../dom/parse-projection.ts';
import { readPageFacts } from './page-facts.ts';

/** Keeps none of the text. */
const projection: Projection = {
  names: new Set(['script', 'style']),
  attributes: new Set(['class']),
  texts: new Set(),
};

/** Returns the facts of a page, which must be the same whether all of it is parsed or a projection. */
function factsOf(html: string): PageFacts {
  const budget = new Budget();
  const facts = readPageFacts(parseDocument(html), budget);
  const projected = parseDocument(html, { projection });
  expect(projected.facts).not.toBeNull();
  expect(readPageFacts(projected, budget)).toEqual(facts);
  return facts;
}

describe('the facts of a page', () => {
  it('are its texts by where they are, its fields and what it shows beside them', () => {
    const facts =
      factsOf(`<!doctype html><title>A &amp; B</title><script>code</script><style>code</style><body>
      <noscript>Enable <b>Java</b>Script<img src=x></noscript><template>later<input></template>
      <h1>P&aacute;gina<br>no <i>encontrada</i></h1><p>日本 abc</p><a href=/>link</a><button>go</button>
      <svg><title>drawing</title></svg><img src=x><form><input name=user><input name=q><input type=checkbox>
      <input type=password><textarea>typed</textarea><input id=captcha-code></form>`);
    expect(facts).toEqual({
      isRich: false,
      title: 'A & B',
      headings: ['Página no encontrada'],
      noscript: 'Enable JavaScript',
      textChars: 'Páginanoencontrada'.length + 2 * '日本'.length + 'abcdrawing'.length,
      linkChars: 'linkgotyped'.length,
      media: 2,
      scripts: 1,
      passwords: 1,
      fields: 2,
      captchaField: 'captcha-code',
      shown: 'Página no encontrada 日本 abc link go drawing x typed',
    });
  });

  it('have the beginning of the noscript of a head without its tags, in linear time', () => {
    const demand = '<style>a{}</style><p>Enable <b>JavaScript</b>';
    expect(factsOf(`<noscript>${demand}</noscript>`).noscript).toBe('Enable JavaScript');
    // In quadratic time each of these would take minutes, more than a test may.
    for (const part of ['<noscript ', '<noscript>java', '<style ', '<'])
      expect(factsOf(`<noscript>${part.repeat(200_000)}`).textChars).toBe(0);
  });

  it('end where a page has much text or very many links', () => {
    expect(factsOf(`<p>${'word '.repeat(400)}<input type=password>`)).toMatchObject({
      isRich: true,
      passwords: 0,
    });
    expect(factsOf('<a href=/>a long name of a link</a>'.repeat(1300)).isRich).toBe(true);
    expect(factsOf('<a href=/>a long name of a link</a>'.repeat(100)).isRich).toBe(false);
  });

  it('have three headings at most, and no white space', () => {
    expect(factsOf('<h1> a\n b </h1><h2></h2><h2>c</h2><h2>d</h2>').headings).toEqual(['a b', 'c']);
  });

  it('of feeds, drawings and JSON are that they have content', () => {
    const rich = ['<rss><channel/></rss>', '<svg xmlns="http://www.w3.org/2000/svg"/>'].map(
      (source) => readPageFacts(parseDocument(source, { kind: 'xml' }), new Budget()).isRich,
    );
    expect(rich).toEqual([true, true]);
    const json = readPageFacts(parseDocument('{"a": 1}', { kind: 'json' }), new Budget());
    expect(json).toMatchObject({ isRich: false, textChars: 7 });
  });

  it('have the texts of open shadow roots, which users see', () => {
    const html = '<div><template shadowrootmode=open><p>shown</p></template></div>';
    expect(factsOf(html).textChars).toBe(5);
  });
});
