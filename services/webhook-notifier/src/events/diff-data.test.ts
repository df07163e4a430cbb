import { describe, expect, it } from '@jest/globals';
import { diffData } from './diff-data.ts';

describe('what differs between two runs', () => {
  it('is nothing when all values are alike, whatever the order of the fields', () => {
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
  ])('is %s', (_case, previous, current, changes) => {
    expect(diffData(previous, current)).toEqual(changes);
  });

  it('tells an empty text from nothing', () => {
    expect(diffData({ a: '' }, { a: null })).toEqual({ a: { previous: '', current: null } });
  });

  it('takes a field named __proto__ for a field', () => {
    const changes = diffData(JSON.parse('{"__proto__":"1"}'), JSON.parse('{"__proto__":"2"}'));
    expect(Object.keys(changes ?? {})).toEqual(['__proto__']);
  });
});
