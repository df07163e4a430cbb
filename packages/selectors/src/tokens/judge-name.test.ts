import { describe, expect, it } from '@jest/globals';
import { judgeName, writtenPart } from './judge-name.ts';

describe('judgeName', () => {
  it.each(
    'css-1x2y3z sc-bdVaJa svelte-1abc9de Card_title__x7Gh2 jss12 bdVaJa VwiC3b styles_container__ZKkl3 e1nre7571 5f3600f45d4de _1gsaw2w5'.split(
      ' ',
    ),
  )('recognizes %s as generated', (name) => {
    expect(judgeName(name)).toBe('generated');
  });

  it.each(
    'price price_color card__title product-pod crypto Überschrift 価格 mp4 utf8 col2 rhythm httpserver os.path.join navTop js-banner b64encode'.split(
      ' ',
    ),
  )('recognizes %s as a name', (name) => {
    expect(judgeName(name)).toBeNull();
  });

  it.each([
    ['state', 'active is-open has-error odd'],
    ['utility', 'mt-4 md:flex w-1/2 text-[14px] col-md-6 clearfix text-center'],
    ['numbered', 'post-1234 comment-60415990'],
  ])('recognizes a %s', (flaw, names) => {
    expect(names.split(' ').map(judgeName)).toEqual(names.split(' ').map(() => flaw));
  });

  it('finds the part of a generated name that its author wrote', () => {
    expect(writtenPart('Card_title__x7Gh2')).toBe('Card_title__');
    expect(writtenPart('css-1x2y3z')).toBeUndefined();
    expect(writtenPart('x7Gh2')).toBeUndefined();
  });
});
