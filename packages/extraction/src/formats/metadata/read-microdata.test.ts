import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../budget.ts';
import { parseDocument } from '../../dom/parse-document.ts';
import { readMetadata } from './read-metadata.ts';

const itemsIn = (source: string, budget = new Budget()) =>
  readMetadata(parseDocument(source), { baseUrl: 'https://example.org/a/', budget }).microdata;

const overBudget = expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' });

describe('readMicrodata', () => {
  it('reads items with types, an id, lists of values and items in them', () => {
    expect(
      itemsIn(`<div itemscope itemtype="https://schema.org/Product https://schema.org/Book" itemid=" /emma ">
        <h1 itemprop="name alternateName name"> Emma <script>x</script></h1><p><b itemprop=name>Two</b>
        <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><i itemprop=price>8</i></div>
        <i itemprop="">none</i></div><div itemscope itemid=/x></div><p itemprop=name>outside</p><p itemprop=x itemscope></p>`),
    ).toEqual([
      {
        type: ['https://schema.org/Product', 'https://schema.org/Book'],
        id: 'https://example.org/emma',
        properties: {
          name: ['Emma', 'Two'],
          alternateName: ['Emma'],
          offers: [{ type: ['https://schema.org/Offer'], properties: { price: ['8'] } }],
        },
      },
      { type: [], properties: {} },
    ]);
  });

  it.each([
    ['<meta itemprop=v content=" a ">', 'a'],
    ['<meta itemprop=v>', ''],
    ['<a itemprop=v href=b>text</a>', 'https://example.org/a/b'],
    ['<a itemprop=v>text</a>', ''],
    ['<a itemprop=v href="http://[">text</a>', 'http://['],
    ['<img itemprop=v src=" /i.png ">', 'https://example.org/i.png'],
    ['<object itemprop=v data=o></object>', 'https://example.org/a/o'],
    ['<data itemprop=v value=1>one</data>', '1'],
    ['<meter itemprop=v value=2>two</meter>', '2'],
    ['<time itemprop=v datetime="2026-11-22">today</time>', '2026-11-22'],
    ['<time itemprop=v> 22 <b>November</b></time>', '22 November'],
    ['<span itemprop=v content="12.50">12,50 €</span>', '12.50'],
    ['<div itemprop=v><p>one<p>two</div>', 'one\ntwo'],
  ])('reads the value of %s', (markup, value) => {
    expect(itemsIn(`<div itemscope>${markup}</div>`)).toEqual([{ type: [], properties: { v: [value] } }]);
  });

  it('adds the properties that itemref names, in document order, each once', () => {
    expect(
      itemsIn(`<p id=late><b itemprop=a>1</b></p><div itemscope itemref="none after late inner"><i id=inner itemprop=a>2</i></div>
        <p id=after itemprop=a>3<u itemprop=b>4</u></p><p id=after itemprop=a>5</p>`),
    ).toEqual([{ type: [], properties: { a: ['1', '2', '34'], b: ['4'] } }]);
  });

  it('leaves out an item inside itself', () => {
    expect(
      itemsIn(`<div itemscope itemref=a></div>
        <div id=a itemprop=a itemscope itemref=b></div><div id=b itemprop=b itemscope itemref="a c"></div><p id=c itemprop=c>1</p>`),
    ).toEqual([
      {
        type: [],
        properties: {
          a: [{ type: [], properties: { b: [{ type: [], properties: { c: ['1'] } }] } }],
        },
      },
    ]);
  });

  it('keeps a property named __proto__ as data', () => {
    const [item] = itemsIn('<div itemscope><p itemprop=__proto__>1</p></div>');
    expect(JSON.stringify(item?.properties)).toBe('{"__proto__":["1"]}');
  });

  it('reads 64 levels of items and leaves out deeper ones', () => {
    const items = itemsIn(`<div itemscope>${'<div itemprop=a itemscope>'.repeat(100_000)}`);
    expect(JSON.stringify(items).match(/"type"/g)).toHaveLength(64);
    expect(itemsIn('<div itemscope>'.repeat(100_000))).toHaveLength(100_000);
  });

  it('throws when items that refer to each other grow too large', () => {
    const pairs = Array.from({ length: 60 }, (_, index) => {
      const refs = `itemref="a${index + 1} b${index + 1}"`;
      return `<p id=a${index} itemprop=p itemscope ${refs}></p><p id=b${index} itemprop=q itemscope ${refs}></p>`;
    });
    const page = `<div itemscope itemref="a0 b0"></div>${pairs.join('')}`;
    expect(() => itemsIn(page)).toThrow(overBudget);
    expect(() => itemsIn(page, new Budget({ maxSteps: 100_000 }))).toThrow(overBudget);
  });

  it('throws when the texts of nested properties grow too large', () => {
    expect(() => itemsIn(`<div itemscope>${'<div itemprop=a>x'.repeat(20_000)}`)).toThrow(overBudget);
  });
});
