import { describe, expect, it } from '@jest/globals';
import { type Sitemap, SitemapReader } from './sitemap-reader.ts';

function read(text: string, chunkChars = text.length || 1): Sitemap {
  const reader = new SitemapReader('https://a.test/sitemap.xml');
  for (let start = 0; start < text.length; start += chunkChars)
    reader.write(text.slice(start, start + chunkChars));
  return reader.finish();
}

const URLSET = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><image:image><image:loc>https://a.test/i.png</image:loc></image:image>
    <loc> https://a.test/one?x=1&amp;y=2 </loc><lastmod>2026-03-01</lastmod></url>
  <url><loc><![CDATA[https://a.test/two]]></loc><lastmod>soon</lastmod></url>
  <url><loc>/three</loc></url>
  <url><loc>ftp://a.test/four</loc></url>
  <url></url>
</urlset>`;
const PAGES = [
  { url: 'https://a.test/one?x=1&y=2', modifiedMs: Date.UTC(2026, 2, 1) },
  { url: 'https://a.test/two' },
  { url: 'https://a.test/three' },
];

describe('SitemapReader', () => {
  it.each([1, 7, 100_000])('reads the pages of a sitemap in chunks of %d characters', (chunkChars) => {
    expect(read(URLSET, chunkChars)).toEqual({ pages: PAGES, sitemaps: [] });
  });

  it('reads an index', () => {
    const index = '<sitemapindex><sitemap><loc>https://a.test/1.xml.gz</loc></sitemap></sitemapindex>';
    expect(read(index)).toEqual({ pages: [], sitemaps: ['https://a.test/1.xml.gz'] });
  });

  it('reads RSS and Atom', () => {
    const rss =
      '<rss><channel><link>https://a.test/</link><item><link>https://a.test/r</link><pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate></item></channel></rss>';
    const atom =
      '<feed><link href="/self" rel="self"/><entry><link rel="edit" href="/e"/><link href="/a"/><updated>2026-03-01T00:00:00Z</updated><published>2020-01-01</published></entry></feed>';
    expect(read(rss).pages).toEqual([{ url: 'https://a.test/r', modifiedMs: Date.UTC(2026, 2, 1) }]);
    expect(read(atom).pages).toEqual([{ url: 'https://a.test/a', modifiedMs: Date.UTC(2026, 2, 1) }]);
  });

  const rss = (item: string) => `<rss><channel><link>https://a.test/</link>${item}</channel></rss>`;
  const atom = (entry: string, attributes = '') => `<feed${attributes}>${entry}</feed>`;
  const urlset = (entry: string) => `<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml">${entry}</urlset>`;
  it.each([
    [
      'alternates before loc',
      urlset('<url><xhtml:link rel="alternate" href="/fr"/><loc>/en</loc></url>'),
      ['/en'],
    ],
    ['alternates without loc', urlset('<url><xhtml:link rel="alternate" href="/fr"/></url>'), []],
    [
      'an image in an entry',
      urlset('<url><image:image><image:loc>/i.png</image:loc></image:image><loc>/a</loc></url>'),
      ['/a'],
    ],
    [
      'a prefix of its own',
      '<s:urlset><s:url><i:loc>/i.png</i:loc><s:loc>/a</s:loc></s:url></s:urlset>',
      ['/a'],
    ],
    [
      'an index with extensions',
      '<sitemapindex><sitemap><x:loc>/x</x:loc><loc>/1.xml</loc></sitemap></sitemapindex>',
      [],
    ],
    [
      'two URLs in an entry',
      urlset('<url><loc>/a</loc><loc>/b</loc></url><url><loc>/c</loc></url>'),
      ['/a', '/b', '/c'],
    ],
    ['an entry that is its URL', urlset('<url> https://a.test/a </url>'), ['/a']],
    ['an entry in loc', urlset('<url><loc><url><![CDATA[https://a.test/a]]></url></loc></url>'), ['/a']],
    ['a permanent link', rss('<item><guid isPermaLink="true">https://a.test/g</guid></item>'), ['/g']],
    ['a guid that is a permanent link by default', rss('<item><guid>https://a.test/g</guid></item>'), ['/g']],
    [
      'a guid with another meaning',
      rss('<item><guid isPermaLink="false">https://a.test/g</guid></item><item><guid>7</guid></item>'),
      [],
    ],
    ['a guid before the link', rss('<item><guid>https://a.test/g</guid><link>/l</link></item>'), ['/l']],
    [
      'an image with a link',
      rss('<item><image><url>/i.png</url><link>/about</link></image><link>/l</link></item>'),
      ['/l'],
    ],
    [
      'a source with a link',
      rss('<item><source><link>/s</link></source><media:link>/m</media:link><link>/l</link></item>'),
      ['/l'],
    ],
    [
      'the image of a channel',
      rss('<image><url>/i.png</url><link>/about</link></image><item><link>/l</link></item>'),
      ['/l'],
    ],
    [
      'an Atom link in an item',
      rss('<item><atom:link rel="self" href="/s"/><atom:link href="/l"/></item>'),
      ['/l'],
    ],
    [
      'RSS 1.0',
      '<rdf:RDF><item rdf:about="https://a.test/r"><dc:date>2026</dc:date></item></rdf:RDF>',
      ['/r'],
    ],
    ['a link of another scheme', rss('<item><link>urn:x</link><guid>https://a.test/g</guid></item>'), ['/g']],
    [
      'the source of an entry',
      atom('<entry><source><link href="/s"/></source><link href="/l"/></entry>'),
      ['/l'],
    ],
    [
      'other representations first',
      atom('<entry><link type="application/json" href="/j"/><link href="/l"/></entry>'),
      ['/l'],
    ],
    [
      'a base',
      atom('<entry xml:base="b/"><link href="l"/></entry><entry><link href="l"/></entry>', ' xml:base="/a/"'),
      ['/a/b/l', '/a/l'],
    ],
    ['a base of the link', atom('<entry><link xml:base="https://a.test/x/" href="l"/></entry>'), ['/x/l']],
  ])('takes a link by its place: %s', (_what, text, paths) => {
    expect(read(text).pages.map(({ url }) => url)).toEqual(paths.map((path) => `https://a.test${path}`));
  });

  it.each([1, 1000])('reads plain text in chunks of %d characters', (chunkChars) => {
    const text = '\ufeffhttps://a.test/one\r\n\r\nnot a url\nhttps://a.test/two';
    expect(read(text, chunkChars)).toEqual({
      pages: [{ url: 'https://a.test/one' }, { url: 'https://a.test/two' }],
      sitemaps: [],
    });
  });

  it('keeps the pages before the end of a file that is cut, and says so', () => {
    const sitemap = read(URLSET.slice(0, -60));
    expect(sitemap.pages).toHaveLength(3);
    expect(sitemap.cutBecause).toContain('the XML has an error');
  });

  it.each([
    [
      'an ampersand in a URL',
      '<url><loc>/a?x=1&y=2</loc></url><url><loc>/b</loc></url>',
      ['/a?x=1&y=2', '/b'],
    ],
    [
      'an element that is not closed',
      '<url><loc>/a<lastmod>2026</lastmod></url><url><loc>/b</loc>',
      ['/a', '/b'],
    ],
    ['an entry that is not closed', '<url><loc>/a</loc><url><loc>/b</loc></url>', ['/a', '/b']],
    ['an entity of HTML', '<url><title>&nbsp;</title><loc>/a</loc></url>', ['/a']],
    ['control characters', '<url><loc>\u000b/a\u0000</loc></url>', ['/a']],
  ])('reads the pages of a file with %s', (_what, entries, paths) => {
    const sitemap = read(`<urlset>${entries}</urlset>`);
    expect(sitemap.pages.map(({ url }) => url)).toEqual(paths.map((path) => `https://a.test${path}`));
    expect(sitemap.cutBecause).toBeUndefined();
  });

  it.each([
    ['behind it', `${URLSET}\nPage made in 0.1 s`],
    ['before it', `Warning: Undefined index in /a.php\n${URLSET}`],
    ['with markup before it', `<br />\n<b>Warning</b>: Undefined index\n${URLSET}`],
  ])('reads the pages of a file with text of the server %s', (_where, text) => {
    expect(read(text)).toEqual({ pages: PAGES, sitemaps: [] });
  });

  it('leaves out entries with entities that stand for something else, and says so', () => {
    const declared = '<!DOCTYPE urlset [<!ENTITY two "2"><!ENTITY out SYSTEM "http://a.test/out">]>';
    const entries = ['/1&amp;x', '/&two;', '/&out;', '/&none;', '/fine'];
    const urls = entries.map((path) => `<url><loc>https://a.test${path}</loc></url>`).join('');
    const sitemap = read(`${declared}<urlset>${urls}</urlset>`);
    expect(sitemap.pages.map(({ url }) => url)).toEqual(['https://a.test/1&x', 'https://a.test/fine']);
    expect(sitemap.cutBecause).toContain('3 of its entries have undefined entities');
  });

  it('reads no page of a file that is not a sitemap', () => {
    expect(read('<!doctype html><title>Not found</title><a href="/x">x</a>').pages).toEqual([]);
    expect(read('{"error": "not found"}').pages).toEqual([]);
    expect(read('')).toEqual({ pages: [], sitemaps: [] });
  });

  it.each([
    ['entries', `<urlset>${'<url><loc>/x</loc></url>'.repeat(50_001)}`, 'more than 50000'],
    ['depth', `<urlset>${'<a>'.repeat(2000)}`, 'nest too deeply'],
    ['an attribute', `<urlset a="${'x'.repeat(300_000)}`, 'too long'],
    ['a comment', `<urlset><!--${'x'.repeat(300_000)}`, 'too long'],
    ['a line', `https://a.test/${'x'.repeat(300_000)}`, 'too long'],
    [
      'entities',
      `<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><urlset><url><loc>/&b;</loc></url>`,
      'error',
    ],
  ])('bounds %s', (_, text, reason) => {
    const sitemap = read(text, 50_000);
    expect(sitemap.pages.length).toBeLessThanOrEqual(50_000);
    expect(sitemap.cutBecause).toContain(reason);
  });
});
