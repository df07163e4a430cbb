import type { ExtractedData, SelectorMap } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { describeField, type FieldStates, judgeRun } from './judge-run.ts';
import { type Measuring, measureMissing, measurePage, shapeOf } from './measure-page.ts';
import { allFields, watchedFieldsOf } from './watched-fields.ts';

/** A schedule whose runs return these data. */
class Watched {
  #fields: FieldStates = {};
  #runs = 0;
  readonly #selectors: SelectorMap;

  constructor(selectors: SelectorMap) {
    this.#selectors = selectors;
  }

  get fields() {
    return this.#fields;
  }

  run(pages: readonly ExtractedData[], selectors = this.#selectors) {
    const rules = watchedFieldsOf({ selectors }, undefined);
    const stats: Measuring = new Map();
    for (const data of pages) measurePage(rules.get(undefined) ?? [], { data }, stats);
    this.#runs += 1;
    const run = { jobId: `job_${this.#runs}`, at: new Date(this.#runs).toISOString(), stats };
    const judgement = judgeRun(this.#fields, allFields(rules), run);
    this.#fields = judgement.fields;
    const paths = (falls: typeof judgement.fell) => falls.map(({ path, measure }) => `${path}: ${measure}`);
    return { health: judgement.health, fell: paths(judgement.fell), recovered: paths(judgement.recovered) };
  }
}

const OK = { health: 'ok', fell: [], recovered: [] };
const records = (count: number, price: string | null = '£1.00') =>
  Array.from({ length: count }, (_, index) => ({ title: `Book ${index}`, price }));
const BOOKS: SelectorMap = {
  books: { selector: '.book', all: true, fields: { title: 'h2', price: '.price' } },
};

describe('a field', () => {
  it('falls once, in the second run in a row in which it is below half, and recovers once', () => {
    const schedule = new Watched({ price: '.price' });
    for (let run = 0; run < 5; run += 1) expect(schedule.run([{ price: '£1.00' }])).toEqual(OK);
    expect(schedule.run([{ price: null }])).toEqual(OK);
    expect(schedule.run([{ price: null }])).toEqual({ ...OK, health: 'broken', fell: ['price: fill'] });
    for (let run = 0; run < 30; run += 1)
      expect(schedule.run([{ price: null }])).toEqual({ ...OK, health: 'broken' });
    expect(schedule.run([{ price: '£2.00' }])).toEqual({ ...OK, recovered: ['price: fill'] });
    expect(schedule.run([{ price: '£2.00' }])).toEqual(OK);
  });

  it('that has a value again in between does not fall, nor when it is missing as long again', () => {
    const schedule = new Watched({ price: '.price' });
    for (const price of ['£1', '£1', '£1', '£1', null, '£1', null, '£1', null, '£1'])
      expect(schedule.run([{ price }])).toEqual(OK);
    schedule.run([{ price: null }]);
    expect(schedule.run([{ price: null }]).fell).toEqual(['price: fill']);
    schedule.run([{ price: '£1' }]);
    schedule.run([{ price: null }]);
    expect(schedule.run([{ price: null }])).toEqual(OK);
    expect(schedule.run([{ price: null }]).fell).toEqual(['price: fill']);
  });

  it('of a list falls by its count, and those of its records keep their state while there are none', () => {
    const schedule = new Watched(BOOKS);
    for (let run = 0; run < 4; run += 1) schedule.run([{ books: records(20 + run) }]);
    schedule.run([{ books: records(9) }]);
    expect(schedule.run([{ books: records(8) }])).toEqual({
      ...OK,
      health: 'drifting',
      fell: ['books: count'],
    });
    expect(schedule.run([{ books: [] }]).health).toBe('broken');
    expect(schedule.run([{ books: records(18) }]).recovered).toEqual(['books: count']);
  });

  it('inside records falls by the share of the records that have it', () => {
    const schedule = new Watched(BOOKS);
    for (let run = 0; run < 3; run += 1) schedule.run([{ books: records(20) }]);
    schedule.run([{ books: [...records(5), ...records(15, null)] }]);
    const { fell, health } = schedule.run([{ books: [...records(5), ...records(15, null)] }]);
    expect({ fell, health }).toEqual({ fell: ['books.price: fill'], health: 'drifting' });
    const field = schedule.fields['books.price'];
    expect(field && describeField('books.price', field)).toMatchObject({
      path: 'books.price',
      health: 'drifting',
      before: { fill: 1 },
      now: { fill: 0.25 },
      fallen: { measure: 'fill', before: 1, now: 0.25, jobId: 'job_5' },
    });
  });

  it('falls by its shape where another text takes its place', () => {
    const schedule = new Watched({ price: '.price' });
    for (let run = 0; run < 4; run += 1) schedule.run([{ price: `£${run}.99` }]);
    schedule.run([{ price: 'Add to the basket' }]);
    expect(schedule.run([{ price: 'Add to the basket' }]).fell).toEqual(['price: shape']);
  });

  it('falls by its conversion where texts are there that do not convert', () => {
    const selectors: SelectorMap = { price: { selector: '.price', type: 'price' } };
    const rules = watchedFieldsOf({ selectors }, undefined);
    let fields: FieldStates = {};
    const run = (data: ExtractedData, isConverted: boolean) => {
      const stats: Measuring = new Map();
      const warnings = isConverted
        ? []
        : [{ field: 'price', code: 'VALUE_NOT_CONVERTED' as const, message: '' }];
      measurePage(rules.get(undefined) ?? [], { data, warnings }, stats);
      const judgement = judgeRun(fields, allFields(rules), { jobId: 'job', at: '', stats });
      fields = judgement.fields;
      return judgement.fell;
    };
    for (let count = 0; count < 3; count += 1) run({ price: { amount: 1, currency: 'GBP' } }, true);
    run({ price: null }, false);
    expect(run({ price: null }, false)).toEqual([
      { path: 'price', measure: 'conversion', before: 1, now: 0 },
    ]);
  });

  it('with bounds of its own falls by them alone', () => {
    const strict = new Watched({ price: { selector: '.price', expect: { fill: 0.9 } } });
    const pages = [...Array(8).fill({ price: '£1' }), { price: null }, { price: null }];
    strict.run(pages);
    expect(strict.run(pages).fell).toEqual(['price: fill']);
    const lenient = new Watched({ price: { selector: '.price', expect: { fill: 0 } } });
    for (let run = 0; run < 5; run += 1) lenient.run([{ price: '£1' }]);
    for (let run = 0; run < 5; run += 1) expect(lenient.run([{ price: null }])).toEqual(OK);
  });

  it('whose selector is changed begins again, and has recovered with its first value', () => {
    const schedule = new Watched(BOOKS);
    for (let run = 0; run < 4; run += 1) schedule.run([{ books: records(20) }]);
    const fewer: SelectorMap = {
      books: { selector: '.top .book', all: true, fields: { title: 'h2', price: '.price' } },
    };
    for (let run = 0; run < 4; run += 1) expect(schedule.run([{ books: records(3) }], fewer)).toEqual(OK);
    schedule.run([{ books: [] }], fewer);
    expect(schedule.run([{ books: [] }], fewer).fell).toEqual(['books: count']);
    expect(schedule.run([{ books: records(1) }])).toEqual({ ...OK, recovered: ['books: count'] });
  });

  it('with a default has no value where that fills in, and neither has an empty text', () => {
    const schedule = new Watched({ price: { selector: '.price', default: 0 }, title: 'h1' });
    for (let run = 0; run < 3; run += 1) schedule.run([{ price: 5, title: 'A' }]);
    schedule.run([{ price: 0, title: '' }]);
    expect(schedule.run([{ price: 0, title: '' }]).fell).toEqual(['price: fill', 'title: fill']);
  });

  it('that is required falls where pages lack it, and nothing is said of those beside it', () => {
    const selectors: SelectorMap = {
      price: { selector: '.price', required: true },
      author: { selector: '.author', fields: { name: { selector: 'b', required: true }, born: 'i' } },
    };
    const fields = watchedFieldsOf({ selectors }, undefined).get(undefined) ?? [];
    const stats: Measuring = new Map();
    measureMissing(fields, new Set(['selectors.price', 'selectors.author.fields.name']), stats);
    expect([...stats].map(([path, { asked, filled }]) => [path, asked, filled])).toEqual([
      ['price', 1, 0],
      ['author.name', 1, 0],
    ]);
  });

  it('keeps its state where no page was asked for it', () => {
    const schedule = new Watched(BOOKS);
    for (let run = 0; run < 3; run += 1) schedule.run([{ books: records(20) }]);
    for (let run = 0; run < 3; run += 1) expect(schedule.run([])).toEqual(OK);
  });
});

describe('the shape of a text', () => {
  it.each([
    ['£12.99', 'price'],
    ['from 12 €', 'text'],
    ['SKU-12345', 'code'],
    ['1 234,50 EUR', 'number'],
    ['12 %', 'number'],
    ['In stock (4)', 'text'],
    ['2026-01-31', 'date'],
    ['31.1.2026', 'date'],
    ['/books/emma', 'address'],
    ['https://a.test/', 'address'],
    ['<b>x</b>', 'markup'],
    ['A Space Odyssey', 'text'],
  ])('of %s is %s', (text, shape) => {
    expect(shapeOf(text)).toBe(shape);
  });
});
