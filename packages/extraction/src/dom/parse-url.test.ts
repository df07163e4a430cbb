import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { extract, extractDefaults } from '../extract.ts';
import { extractFormats } from '../formats/extract-formats.ts';
import { planFormats } from '../formats/plan-formats.ts';
import { compileSelectors } from '../plan/compile-selectors.ts';
import { planOutlinks, readOutlinks, readPageIdentity } from '../read-outlinks.ts';
import { renderView } from '../render-view.ts';
import { type DocumentKind, parseDocument } from './parse-document.ts';
import { resolveBase, resolveUrl } from './parse-url.ts';

const PAGE = 'https://shop.example/list';

/** Resolves a URL as a page in the encoding does. */
function resolve(
  href: string,
  encoding: string,
  kind: DocumentKind = 'html',
  page = '<p>',
): string | undefined {
  const base = resolveBase(parseDocument(page, { kind, encoding }), PAGE);
  return resolveUrl(href, base)?.href.replace('https://shop.example', '');
}

describe('the query of a link', () => {
  it.each([
    ['utf-8', '/s?q=é', '/s?q=%C3%A9'],
    ['windows-1252', '/s?q=é', '/s?q=%E9'],
    ['windows-1252', '/é/s?q=é&r=€#é', '/%C3%A9/s?q=%E9&r=%80#%C3%A9'],
    ['windows-1252', '/s?q=я😀', '/s?q=%26%231103%3B%26%23128512%3B'],
    ['windows-1252', ' ?q=\té "\'<>%e9?\n ', '/list?q=%E9%20%22%27%3C%3E%e9?'],
    ['windows-1252', '?a=b c', '/list?a=b%20c'],
    ['windows-1252', 'https://é.example/?é', 'https://xn--9ca.example/?%E9'],
    ['windows-1252', '#?é', '/list#?%C3%A9'],
    ['windows-1252', 'mailto:a@b.example?subject=é', 'mailto:a@b.example?subject=%C3%A9'],
    ['windows-1252', 'wss://a.example/?é', 'wss://a.example/?%C3%A9'],
    ['koi8-r', '/s?q=я', '/s?q=%D1'],
    ['shift_jis', '/s?q=日本', '/s?q=%93%FA%96{'],
    ['gb18030', '/s?q=中', '/s?q=%D6%D0'],
    ['big5', '/s?q=中é', '/s?q=%A4%A4%26%23233%3B'],
    ['iso-2022-jp', '/s?q=日', '/s?q=%1B$BF|%1B(B'],
    ['utf-16le', '/s?q=é', '/s?q=%C3%A9'],
    ['replacement', '/s?q=é', '/s?q=%C3%A9'],
  ])('on a page in %s is encoded in it: %s', (encoding, href, expected) => {
    expect(resolve(href, encoding)).toBe(expected);
  });

  it('is UTF-8 in feeds, other XML and JSON, whatever their encoding', () => {
    expect(resolve('/s?q=é', 'windows-1252', 'xml', '<rss/>')).toBe('/s?q=%C3%A9');
    expect(resolve('/s?q=é', 'windows-1252', 'json', '{}')).toBe('/s?q=%C3%A9');
    const xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"/>';
    expect(resolve('/s?q=é', 'windows-1252', 'xml', xhtml)).toBe('/s?q=%E9');
  });

  it('is the same wherever a link is read', () => {
    const source = `<base href="/deep/?b=é"><link rel=canonical href="?c=é"><link rel=next href="?n=é">
      <link rel=icon href="?i=é"><meta property=og:url content="?o=é">
      <a href="?a=é">a</a><img src="?s=é"><i>?t=é</i>`;
    const document = parseDocument(source, { encoding: 'windows-1252' });
    const context = { baseUrl: PAGE, budget: new Budget() };
    const plan = compileSelectors({
      absolute: { selector: 'a::attr(href)', absolute: true },
      url: { selector: 'i::text', type: 'url' },
      markdown: { selector: 'a', type: 'markdown' },
    });
    const found = [
      JSON.stringify(extract(document, plan, context).data),
      JSON.stringify(extractDefaults(document, context).links),
      extractFormats(document, planFormats(['links', 'markdown', 'metadata']), context).json,
      ...[...readOutlinks(document, planOutlinks({ follow: true, next: 'link' }), context)].map(
        ({ url }) => url.href,
      ),
      readPageIdentity(document, context).canonicalUrl,
      resolveBase(document, PAGE).href,
      renderView(document, context),
    ].join('\n');
    const names = [...found.matchAll(/\?([a-z])=%E9/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set('abcinost'));
    expect(found).not.toContain('%C3%A9');
  });
});
