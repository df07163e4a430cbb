import { describe, expect, it } from '@jest/globals';
import { parseDocument } from './dom/parse-document.ts';
import { type DefaultData, extractDefaults } from './extract.ts';

function defaultsOf(html: string): DefaultData {
  return extractDefaults(parseDocument(html), { baseUrl: 'https://example.org/dir/page' });
}

describe('extractDefaults', () => {
  it('returns null for a missing title and description, and empty text and links', () => {
    expect(defaultsOf('')).toStrictEqual({ title: null, description: null, text: '', links: [] });
  });

  it('takes the title of the document, not of an SVG drawing', () => {
    expect(defaultsOf('<body><svg><title>drawing</title></svg><title> The \n page </title>').title).toBe(
      'The page',
    );
  });

  it('prefers the description to og:description', () => {
    const shared = '<meta property="og:description" content="shared">';
    expect(defaultsOf(`${shared}<meta name=Description content=" own  words ">`).description).toBe(
      'own words',
    );
    expect(defaultsOf(shared).description).toBe('shared');
  });

  it('returns the text of the body with each block on its own line, without code and noscript', () => {
    const html = `<title>t</title><h1>Head<b>line</b></h1><script>x</script><noscript>n</noscript>
      <ul><li>one<li>two <i>and</i> half</ul>tail<br>end<table><tr><td>a<td>b</table><div> </div>`;
    expect(defaultsOf(html).text).toBe('Headline\none\ntwo and half\ntail\nend\na\nb');
  });

  it('limits the text to a million characters', () => {
    expect(defaultsOf(`<p>${'word '.repeat(300_000)}<p>more`).text.length).toBeLessThanOrEqual(1_000_000);
  });

  it('lists each web link once, absolute, in document order', () => {
    const html =
      '<a href=b>1</a><area href="//x.example/#y"><a href="b">2</a><a href="mailto:a@b">3</a><a>4</a><a href="http://[">5</a>';
    expect(defaultsOf(html).links).toEqual(['https://example.org/dir/b', 'https://x.example/#y']);
  });

  it('lists at most 10,000 links', () => {
    const html = Array.from({ length: 10_050 }, (_, index) => `<a href=${index}>`).join('');
    expect(defaultsOf(html).links).toHaveLength(10_000);
  });
});

describe('extractDefaults of XML', () => {
  const defaultsOfXml = (xml: string): DefaultData =>
    extractDefaults(parseDocument(xml, { kind: 'xml' }), { baseUrl: 'https://example.org/dir/feed' });

  it('takes title, description, text and links of an RSS feed', () => {
    const rss = `<rss xmlns:a="http://www.w3.org/2005/Atom"><channel><a:link href="feed"/><title>News</title>
      <link>https://example.org/</link><description>What is new</description>
      <item><title>One</title><link>
<![CDATA[https://example.org/1]]>
</link><guid>id</guid></item></channel></rss>`;
    expect(defaultsOfXml(rss)).toEqual({
      title: 'News',
      description: 'What is new',
      text: 'News\nhttps://example.org/\nWhat is new\nOne\nhttps://example.org/1\nid',
      links: ['https://example.org/dir/feed', 'https://example.org/', 'https://example.org/1'],
    });
  });

  it('takes those of an Atom feed, a sitemap and an SVG drawing', () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><subtitle>S</subtitle><link href="/x"/></feed>';
    expect(defaultsOfXml(atom)).toMatchObject({
      title: 'T',
      description: 'S',
      links: ['https://example.org/x'],
    });
    const sitemap =
      '<urlset><url><loc>https://example.org/1</loc></url><url><loc>ftp://x.example/</loc></url></urlset>';
    expect(defaultsOfXml(sitemap)).toMatchObject({
      title: null,
      description: null,
      links: ['https://example.org/1'],
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><title>T</title><desc>D</desc>
      <use l:href="#a"/><a l:href="b"><text>one<tspan>two</tspan></text></a><text>three</text></svg>`;
    expect(defaultsOfXml(svg)).toEqual({
      title: 'T',
      description: 'D',
      text: 'T\nD\nonetwo\nthree',
      links: ['https://example.org/dir/b'],
    });
  });

  it('takes those of an XHTML page as of HTML', () => {
    const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><link href="style.css"/><title>T</title>
      <meta name="description" content="D"/></head><body><h1/><p>one</p><p>two <a href="x">three</a></p></body></html>`;
    expect(defaultsOfXml(page)).toEqual({
      title: 'T',
      description: 'D',
      text: 'one\ntwo three',
      links: ['https://example.org/dir/x'],
    });
  });
});
