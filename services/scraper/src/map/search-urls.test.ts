import { defined } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { searchUrls } from './search-urls.ts';

const at = (path: string, text?: string) => ({
  url: `https://www.shop.example${path}`,
  ...defined({ text }),
});
const found = (urls: Parameters<typeof searchUrls>[0], search: string) =>
  searchUrls(urls, search).map(({ url }) => new URL(url).pathname);

describe('searchUrls', () => {
  it('leaves out what has none of the words', () => {
    expect(found([at('/a'), at('/returns'), at('/b', 'Returns'), at('/c', 'Retour')], 'returns')).toEqual([
      '/b',
      '/returns',
    ]);
  });

  it('puts those first that have more of the words, and then the better places', () => {
    const urls = [
      at('/policy/x'),
      at('/x', 'policyholder'),
      at('/policy'),
      at('/y', 'Our policy'),
      at('/returns/policy'),
    ];
    expect(found(urls, 'returns policy')).toEqual(['/returns/policy', '/y', '/policy', '/x', '/policy/x']);
  });

  it('takes no account of case, accents and encoding', () => {
    expect(found([at('/k%C3%A4se'), at('/x', 'KÄSE'), at('/%E0%A4%A'), at('/y', 'Kase')], 'kÄse')).toEqual([
      '/x',
      '/y',
      '/k%C3%A4se',
    ]);
  });

  it('does not find the scheme and www', () => {
    expect(found([at('/a')], 'https www')).toEqual([]);
  });
});
