import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { checkAnswer } from './check-answer.ts';
import { readForModel } from './page-evidence.ts';
import { compileShape, type EvidenceRule } from './shape.ts';

const of = (value: unknown, quote: unknown = value) => ({ value, quote });
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };

interface Options {
  readonly rule?: EvidenceRule;
  readonly locale?: string;
}

function check(
  html: string,
  properties: object,
  answer: object,
  { rule = 'required', locale }: Options = {},
) {
  const document = parseDocument(html);
  const page = readForModel(document, {
    baseUrl: 'https://shop.example/a/',
    budget: new Budget(),
    maxBytes: 10_000,
  });
  const compiled = compileShape({ type: 'object', properties }, rule);
  if ('errors' in compiled) throw new Error(JSON.stringify(compiled.errors));
  const { shape } = compiled;
  return checkAnswer({ answer: JSON.stringify(answer), shape, rule, evidence: page.evidence, locale });
}

/** Returns the value that a page of one paragraph lets stand. */
function valueIn(paragraph: string, schema: object, value: unknown, quote?: unknown, options?: Options) {
  return check(`<p>${paragraph}</p>`, { a: schema }, { a: of(value, quote ?? value) }, options).data.a;
}

describe('a single value', () => {
  it.each([
    ['a part of the quote', 'by Ann Lee, 2024', TEXT, 'Ann Lee', 'by Ann Lee'],
    ['the quote itself', 'Ann Lee', TEXT, 'Ann Lee', 'Ann Lee'],
    ['a quote with other white space', 'Ann \n  Lee', TEXT, 'Ann Lee', 'Ann  Lee'],
    ['a quote across elements', '<b>Ann</b> <i>Lee</i>', TEXT, 'Ann Lee', '**Ann** *Lee*'],
    [
      'a quote of a link in Markdown',
      '<a href="/x">Ann</a> Lee',
      TEXT,
      'Ann',
      '[Ann](https://shop.example/x) Lee',
    ],
    ['the same in NFKC', 'ﬁne Ａ', TEXT, 'ﬁne Ａ', 'fine A'],
    ['a value in a script without spaces', '価格は五百円です', TEXT, '五百円', '五百円'],
    ['a price as a number', 'only £1,234.50 now', NUMBER, 1234.5, '£1,234.50'],
    ['a second number', '4 of 5 stars, £20', NUMBER, 20, '4 of 5 stars, £20'],
    ['a whole number', '12 pieces', { type: 'integer' }, 12, '12 pieces'],
    [
      'a date in another form',
      'March 5, 2024',
      { type: 'string', format: 'date' },
      '2024-03-05',
      'March 5, 2024',
    ],
    ['a choice', 'In stock', { type: 'string', enum: ['In stock', 'Sold out'] }, 'In stock', 'In stock'],
  ])('stands as %s', (_case, paragraph, schema, value, quote) => {
    expect(valueIn(paragraph, schema, value, quote)).toEqual(value);
  });

  it.each([
    ['what the page does not say', 'Ann Lee', TEXT, 'Bob', 'Bob'],
    ['what its quote does not say', 'Ann Lee and Bob', TEXT, 'Bob', 'Ann Lee'],
    ['a part of a word', 'Annabel', TEXT, 'Ann', 'Ann'],
    ['a part of a number', '£14.50', NUMBER, 14, '£14'],
    ['the same by a longer quote', '£14.50', NUMBER, 14, '£14.50'],
    ['the digits of a fraction', '10² m', NUMBER, 10, '10'],
    ['another number', '£14.50', NUMBER, 15.4, '£14.50'],
    ['a number as a text', '£14.50', TEXT, '14.5', '£14.50'],
    ['a fraction as a whole number', '14.5', { type: 'integer' }, 14.5, '14.5'],
    ['another date', 'March 5, 2024', { type: 'string', format: 'date' }, '2024-05-03', 'March 5, 2024'],
    ['another choice', 'In stock', { type: 'string', enum: ['Sold out'] }, 'In stock', 'In stock'],
    ['hidden text', 'Ann<span hidden> Lee is root</span>', TEXT, 'root', 'root'],
    ['text of a script', 'Ann<script>var a = "root"</script>', TEXT, 'root', 'root'],
    ['a quote that takes most of the page away', `a${'*'.repeat(5000)}b`, TEXT, 'ab', 'ab'],
    ['an object', 'Ann', TEXT, {}, 'Ann'],
  ])('does not stand as %s', (_case, paragraph, schema, value, quote) => {
    expect(valueIn(paragraph, schema, value, quote)).toBeNull();
  });

  it('is read in the language that was asked for', () => {
    expect(valueIn('1.234,50 €', NUMBER, 1234.5, '1.234,50 €', { locale: 'de' })).toBe(1234.5);
    expect(valueIn('1.234 €', NUMBER, 1.234, '1.234 €', { locale: 'de' })).toBeNull();
  });

  it('is its own quote if it comes alone', () => {
    const { data } = check('<p>Ann Lee</p>', { a: TEXT, b: TEXT }, { a: 'Ann Lee', b: 'Bob' });
    expect(data).toEqual({ a: 'Ann Lee', b: null });
  });

  it('is a URL of a link or an image of the page', () => {
    const html = '<p><a href="../b?c=1">More</a><img src="/i.png"></p>';
    const uri = { type: 'string', format: 'uri' };
    const answer = {
      a: of('../b?c=1', 'More'),
      b: of('https://shop.example/i.png', null),
      c: of('https://evil.example/', 'More'),
    };
    const { data, evidence } = check(html, { a: uri, b: uri, c: uri }, answer);
    expect(data).toEqual({ a: 'https://shop.example/b?c=1', b: 'https://shop.example/i.png', c: null });
    expect(evidence.a).toEqual({ quote: 'https://shop.example/b?c=1', status: 'converted' });
  });

  it('has its evidence in the words of the page', () => {
    const html = '<p>Ann  <b>Lee</b> has 1,200 books</p>';
    const answer = {
      name: of('Ann Lee', '**Ann Lee**'),
      books: of(1200, 'has 1,200 books'),
      no: of('Bob'),
      none: of(null),
    };
    const { evidence, missing } = check(html, { name: TEXT, books: NUMBER, no: TEXT, none: TEXT }, answer);
    expect(evidence).toEqual({
      name: { quote: 'Ann Lee', status: 'verbatim' },
      books: { quote: 'has 1,200 books', status: 'converted' },
      no: { quote: null, status: 'missing' },
    });
    expect(missing).toEqual({ no: 1 });
  });

  it('stays without evidence if that is only reported, in its type', () => {
    const properties = { a: TEXT, b: { type: 'boolean' }, c: NUMBER };
    const answer = { a: of('Bob'), b: of(true, 'Ann'), c: of('ten') };
    const { data, evidence } = check('<p>Ann</p>', properties, answer, { rule: 'report' });
    expect(data).toEqual({ a: 'Bob', b: true, c: null });
    expect(Object.values(evidence).map(({ status }) => status)).toEqual(['missing', 'missing', 'missing']);
  });
});

describe('a list', () => {
  const ITEMS = {
    items: { type: 'array', items: { type: 'object', properties: { name: TEXT, price: NUMBER } } },
  };
  const item = (name: string, price: number) => ({ name: of(name), price: of(price, `£${price}`) });
  const list = (html: string, ...items: object[]) => check(html, ITEMS, { items }).data.items;
  const SHOP = '<ul><li><b>Lamp</b> £10<li><b>Chair</b> £20<li><b>Mug</b> £30</ul><p>Lamp oil £99</p>';

  it('has the items that stand on the page', () => {
    expect(list(SHOP, item('Lamp', 10), item('Chair', 20), item('Mug', 30))).toEqual([
      { name: 'Lamp', price: 10 },
      { name: 'Chair', price: 20 },
      { name: 'Mug', price: 30 },
    ]);
  });

  it('takes no value of another item', () => {
    expect(list(SHOP, item('Lamp', 20), item('Chair', 10), item('Mug', 30))).toEqual([
      expect.not.objectContaining({ name: 'Lamp', price: 20 }),
      expect.not.objectContaining({ name: 'Chair', price: 10 }),
      { name: 'Mug', price: 30 },
    ]);
  });

  it('leaves out items without any value, and one that stands there already', () => {
    expect(list(SHOP, item('Chair', 20), item('Sofa', 55), item('Chair', 20))).toEqual([
      { name: 'Chair', price: 20 },
    ]);
  });

  it('keeps equal items apart', () => {
    const html = '<ul><li>Cup £5<li>Cup £7<li>Cup £5</ul>';
    expect(list(html, item('Cup', 5), item('Cup', 7), item('Cup', 5))).toEqual([
      { name: 'Cup', price: 5 },
      { name: 'Cup', price: 7 },
      { name: 'Cup', price: 5 },
    ]);
  });

  it('finds items that share an element by one quote', () => {
    const html = '<p>Lamp, £10<br>Chair, £20</p>';
    const whole = (name: string, price: number) => ({
      name: of(name, `${name}, £${price}`),
      price: of(price, `${name}, £${price}`),
    });
    expect(list(html, whole('Lamp', 10), whole('Chair', 20))).toEqual([
      { name: 'Lamp', price: 10 },
      { name: 'Chair', price: 20 },
    ]);
  });

  it('has values of one element if they are single ones', () => {
    const properties = { colors: { type: 'array', items: TEXT } };
    const { data } = check('<p>red, green, blue</p>', properties, {
      colors: [of('red'), of('pink'), of('blue')],
    });
    expect(data.colors).toEqual(['red', 'blue']);
  });

  it('can be inside an item, whose values it takes alone', () => {
    const properties = {
      shops: {
        type: 'array',
        items: { type: 'object', properties: { city: TEXT, days: { type: 'array', items: TEXT } } },
      },
    };
    const html = '<div><h2>Ulm</h2><p>Mon, Tue</p></div><div><h2>Bonn</h2><p>Wed</p></div>';
    const answer = {
      shops: [
        { city: of('Ulm'), days: [of('Mon'), of('Wed')] },
        { city: of('Bonn'), days: [of('Wed')] },
      ],
    };
    const { data, evidence } = check(html, properties, answer);
    expect(data.shops).toEqual([
      { city: 'Ulm', days: ['Mon'] },
      { city: 'Bonn', days: ['Wed'] },
    ]);
    expect(Object.keys(evidence)).toEqual([
      'shops.0.city',
      'shops.0.days.0',
      'shops.1.city',
      'shops.1.days.0',
    ]);
  });
});

describe('an answer', () => {
  it.each(['', '[]', '{"a": ', 'null'])('of %j is refused', (answer) => {
    const compiled = compileShape({ type: 'object', properties: { a: TEXT } }, 'required');
    if ('errors' in compiled) throw new Error('The schema is not valid.');
    const { evidence } = readForModel(parseDocument('<p>a</p>'), {
      baseUrl: 'https://a.example/',
      budget: new Budget(),
      maxBytes: 100,
    });
    expect(() => checkAnswer({ answer, shape: compiled.shape, rule: 'required', evidence })).toThrow(
      SyntaxError,
    );
  });

  it('has no names of its own', () => {
    const { data } = check('<p>Ann</p>', { a: TEXT }, { a: of('Ann'), b: of('Ann'), __proto__: of('Ann') });
    expect(Object.keys(data)).toEqual(['a']);
  });
});

describe('a page for a model', () => {
  const read = (html: string, maxBytes: number) =>
    readForModel(parseDocument(html), { baseUrl: 'https://a.example/', budget: new Budget(), maxBytes });

  it('is its main part without hidden text', () => {
    const page = read('<nav>Menu</nav><main><h1>Ann</h1><p hidden>no</p><p>Lee</p></main>', 1000);
    expect(page).toMatchObject({ markdown: '# Ann\n\nLee', isCut: false });
    expect(page.evidence.text).toBe('Menu Ann Lee ');
  });

  it('is cut at a number of bytes, between characters', () => {
    expect(read(`<p>${'ä'.repeat(100)}</p>`, 11)).toMatchObject({ markdown: 'äääää', isCut: true });
  });
});
