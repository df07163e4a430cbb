import { describe, expect, it } from '@jest/globals';
import type { Extracted } from './draft/fill.ts';
import { NEXT_SELECTORS, nextLinkIn } from './next-link.ts';

const PAGE = 'https://shop.example/books?page=2';

function linkIn(data: Record<string, unknown>) {
  return nextLinkIn({ data, matches: {} } as unknown as Extracted, PAGE);
}

describe('nextLinkIn', () => {
  it('takes the most certain link, which leads to another page of the host', () => {
    expect(linkIn({ next0: null, next1: 'https://shop.example/books?page=3', next2: `${PAGE}x` })).toEqual({
      selector: 'a.next',
      url: 'https://shop.example/books?page=3',
    });
  });

  it.each([
    ['the page itself', `${PAGE}#list`],
    ['another host', 'https://ads.example/next'],
    ['no address', 'javascript:next()'],
    ['nothing', null],
  ])('does not take a link to %s', (_what, next0) => {
    expect(linkIn({ next0 })).toBeUndefined();
  });

  it('asks for absolute addresses', () => {
    expect(NEXT_SELECTORS.next0).toEqual({ selector: 'a[rel~="next"]::attr(href)', type: 'url' });
  });
});
