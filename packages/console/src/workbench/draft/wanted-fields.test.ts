import { describe, expect, it } from '@jest/globals';
import { schemaOf } from './wanted-fields.ts';

const text = { type: 'string' };

describe('schemaOf', () => {
  it.each([
    ['title', { title: text }],
    [' title , , price: number,', { title: text, price: { type: 'number' } }],
    ['author : who wrote it: the first', { author: { ...text, description: 'who wrote it: the first' } }],
    ['__proto__', Object.fromEntries([['__proto__', text]])],
  ])('reads "%s"', (page, properties) => {
    expect(schemaOf({ page, item: '' })).toEqual({ type: 'object', properties });
  });

  it('has a list of the values of items', () => {
    const items = { type: 'array', items: { type: 'object', properties: { name: text } } };
    expect(schemaOf({ page: '', item: 'name' })).toEqual({ type: 'object', properties: { items } });
    expect(schemaOf({ page: 'title', item: 'name' })?.properties).toEqual({ title: text, items });
  });

  it.each(['', '  ', ',', ': number'])('is undefined for "%s"', (page) => {
    expect(schemaOf({ page, item: page })).toBeUndefined();
  });
});
