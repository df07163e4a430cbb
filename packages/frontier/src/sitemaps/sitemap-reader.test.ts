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

  it.each([1, 1000])('reads plain text in chunks of %d characters', (chunkChars) => {
    const text = '\ufeffhttps://a.test/one\r\n\r\nnot a url\nhttps://a.test/two';
    expect(read(text, chunkChars)).toEqual({
      pages: [{ url: 'https://a.test/one' }, { url: 'https://a.test/two' }],
      sitemaps: [],
    });
  });

  it.each([
    ['is cut', URLSET.slice(0, -60), 3],
    ['has text outside', `${URLSET}x`, 3],
  ])('keeps the pages before an error when the file %s', (_, text, count) => {
    const sitemap = read(text);
    expect(sitemap.pages).toHaveLength(count);
    expect(sitemap.cutBecause).toContain('the XML has an error');
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
    ['depth', `<urlset>${'<url>'.repeat(100)}`, 'nest too deeply'],
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
