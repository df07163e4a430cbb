import { describe, expect, it } from '@jest/globals';
import { nameFor } from './draft.ts';

describe('nameFor', () => {
  it.each([
    ['p.price > data', 'text', 'price'],
    ['.card__title', 'text', 'cardTitle'],
    ['h1', 'text', 'title'],
    ['.books h2', 'text', 'books'],
    ['[itemprop="author"]', 'text', 'author'],
    ['a', 'attr(href)', 'linkUrl'],
    ['img.cover', 'attr(src)', 'coverImage'],
    [':scope', 'text', 'value'],
  ])('%p and %p: %p', (selector, take, name) => {
    expect(nameFor({ selector, take }, [])).toBe(name);
  });

  it('is not the name of another value', () => {
    expect(nameFor({ selector: '.price', take: 'text' }, ['price', 'price2'])).toBe('price3');
  });
});
