import { describe, expect, it } from '@jest/globals';
import { diffData, fitChanges } from './run-changes.ts';

describe('the differences between two runs', () => {
  it('are undefined when all values are equal, whatever the order of fields', () => {
    const previous = { price: '19.90', tags: ['a', 'b'], card: { name: 'x', link: null } };
    const current = { card: { link: null, name: 'x' }, tags: ['a', 'b'], price: '19.90' };
    expect(diffData(previous, current)).toBeUndefined();
  });

  it.each([
    ['a text', { a: '1' }, { a: '2' }, { a: { previous: '1', current: '2' } }],
    [
      'a list, also in its order',
      { a: ['1', '2'] },
      { a: ['2', '1'] },
      { a: { previous: ['1', '2'], current: ['2', '1'] } },
    ],
    [
      'a record within a list',
      { a: [{ b: 1 }] },
      { a: [{ b: 2 }] },
      { a: { previous: [{ b: 1 }], current: [{ b: 2 }] } },
    ],
    ['a value that is gone', { a: '1' }, { a: null }, { a: { previous: '1', current: null } }],
    ['a field that is new', {}, { a: '1' }, { a: { previous: null, current: '1' } }],
    ['a field that is no longer asked for', { a: '1' }, {}, { a: { previous: '1', current: null } }],
    [
      'a field with the name of a method',
      { a: '1' },
      { a: '1', toString: 'x' },
      { toString: { previous: null, current: 'x' } },
    ],
  ])('include %s', (_case, previous, current, changes) => {
    expect(diffData(previous, current)).toEqual(changes);
  });

  it('distinguish an empty text from none', () => {
    expect(diffData({ a: '' }, { a: null })).toEqual({ a: { previous: '', current: null } });
  });

  it('include a field named __proto__', () => {
    const changes = diffData(JSON.parse('{"__proto__":"1"}'), JSON.parse('{"__proto__":"2"}'));
    expect(Object.keys(changes ?? {})).toEqual(['__proto__']);
  });
});

const change = (length: number) => ({ previous: null, current: 'x'.repeat(length) });

describe('fitChanges', () => {
  it('keeps all that fit, in their order', () => {
    const changes = { b: change(10), a: change(10), $c: change(0) };
    expect(fitChanges(changes)).toEqual({ changes, omittedFields: [] });
    expect(Object.keys(fitChanges(changes).changes)).toEqual(['b', 'a', '$c']);
  });

  it('leaves out what is too large, and names it', () => {
    const changes = { small: change(10), huge: change(5000), other: change(20) };
    expect(fitChanges(changes, 1000)).toEqual({
      changes: { small: changes.small, other: changes.other },
      omittedFields: ['huge'],
    });
  });

  it('counts bytes, not characters', () => {
    const { omittedFields } = fitChanges({ text: { previous: null, current: '€'.repeat(300) } }, 900);
    expect(omittedFields).toEqual(['text']);
  });
});
