import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../budget.ts';
import { type DocumentKind, parseDocument } from '../../dom/parse-document.ts';
import { readMetadata } from './read-metadata.ts';

const baseUrl = 'https://example.org/a/';

const metadataOf = (source: string, kind: DocumentKind = 'html', budget = new Budget()) =>
  readMetadata(parseDocument(source, { kind }), { baseUrl, budget });

describe('readMetadata', () => {
  it('reads the title, descriptions and relations of a page', () => {
    expect(
      metadataOf(`<html lang=" de-AT "><title> Emma
        | Shop</title><base href="/b/"><meta name=Description content="A  novel."><meta name=author content="Jane Austen">
        <meta name=ROBOTS content="noindex, nofollow"><link rel=canonical href="emma"><link rel=canonical href="other">
        <link rel="alternate" type="application/rss+xml" title="News" href="/feed"><link rel=alternate hreflang=en href=en>
        <link rel="Shortcut Icon" href="i.ico"><link rel="apple-touch-icon" sizes="180x180" type="image/png" href="t.png">
        <link rel=icon href="data:,"><link rel=feed href="javascript:x">`),
    ).toEqual({
      title: 'Emma | Shop',
      description: 'A novel.',
      canonical: 'https://example.org/b/emma',
      language: 'de-AT',
      author: 'Jane Austen',
      robots: 'noindex, nofollow',
      openGraph: {},
      twitter: {},
      jsonLd: [],
      microdata: [],
      feeds: [{ url: 'https://example.org/feed', title: 'News', type: 'application/rss+xml' }],
      icons: [
        { url: 'https://example.org/b/i.ico', sizes: null, type: null },
        { url: 'https://example.org/b/t.png', sizes: '180x180', type: 'image/png' },
      ],
    });
  });

  it('returns nulls and empty lists for a page without metadata', () => {
    const nothing = { title: null, description: null, canonical: null, language: null, author: null };
    expect(metadataOf('')).toMatchObject({ ...nothing, robots: null, feeds: [], icons: [] });
  });

  it('reads the names and language of XML', () => {
    const feed = `<rss xml:lang="fr"><channel><title>Feed</title><description>All news</description></channel></rss>`;
    expect(metadataOf(feed, 'xml')).toMatchObject({
      title: 'Feed',
      description: 'All news',
      language: 'fr',
    });
  });

  it('reads properties of Open Graph and Twitter', () => {
    const page = `<html prefix="shop: https://shop.example/ns#"><meta property="og:title" content="Emma">
      <meta property="og:locale:alternate" content=de><meta property="og:locale:alternate" content=fr>
      <meta property="og:url twitter:url" content="/emma"><meta name="og:type" content=book>
      <meta property="book:author" content=A><meta property="video:duration" content=9><meta property="shop:id" content=1>
      <meta property="other:id" content=2><meta property="og:" content=3><meta property="og:__proto__" content=4>
      <meta name="twitter:card" content=summary><meta name="twitter:site">`;
    const { openGraph, twitter } = metadataOf(page);
    expect(JSON.parse(JSON.stringify(openGraph))).toEqual({
      title: 'Emma',
      'locale:alternate': ['de', 'fr'],
      url: 'https://example.org/emma',
      type: 'book',
      'book:author': 'A',
      'video:duration': '9',
      'shop:id': '1',
      ['__proto__']: '4',
    });
    expect(twitter).toEqual({ url: '/emma', card: 'summary' });
  });

  it('groups the parts of images, videos and audio files', () => {
    const page = [
      ['og:image', '/1.png'],
      ['og:image:width', '1'],
      ['og:image:alt', 'one'],
      ['og:image:url', '/2.png'],
      ['og:image:secure_url', 'https://s.example/2.png'],
      ['og:video:type', 'text/html'],
      ['og:video', '/v'],
      ['og:video:tag', 'a'],
      ['og:video:tag', 'b'],
    ].map(([property, content]) => `<meta property="${property}" content="${content}">`);
    expect(metadataOf(page.join('')).openGraph).toEqual({
      image: [
        { url: 'https://example.org/1.png', width: '1', alt: 'one' },
        { url: 'https://example.org/2.png', secure_url: 'https://s.example/2.png' },
      ],
      video: [{ type: 'text/html', url: 'https://example.org/v', tag: ['a', 'b'] }],
    });
  });

  it('reads JSON-LD as pages write it, and leaves out what is not an object', () => {
    const scripts = [
      '{"@type": "Product", "name": "a\nb", /* x */}',
      '[{"a": 1}, "text", {}, null]',
      '// <![CDATA[\n{"b": 2}\n// ]]>',
      '{broken',
      '',
      '"text"',
    ].map((text) => `<script type="Application/LD+JSON; charset=utf-8">${text}</script>`);
    expect(metadataOf(`${scripts.join('')}<script type="application/json">{"c": 3}</script>`).jsonLd).toEqual(
      [{ '@type': 'Product', name: 'a\nb' }, { a: 1 }, { b: 2 }],
    );
  });

  it('pays for large JSON-LD', () => {
    const page = `<script type="application/ld+json">[${'{"a":1},'.repeat(100_000)}0]</script>`;
    const budget = new Budget({ maxSteps: 1_000_000 });
    expect(() => metadataOf(page, 'html', budget)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });

  it('limits the properties and links of a page', () => {
    const page = '<meta property="og:image" content=x><link rel=feed href=x>'.repeat(20_000);
    const { openGraph, feeds } = metadataOf(page);
    expect(openGraph.image).toHaveLength(10_000);
    expect(feeds).toHaveLength(10_000);
  });
});
