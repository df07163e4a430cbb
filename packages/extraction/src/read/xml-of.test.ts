import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, parseDocument, type SelectorMap } from '../index.ts';

const RSS = `<?xml version="1.0"?>
<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"><channel><link>https://example.org/</link>
<item><pubDate>now</pubDate><dc:creator>Ann</dc:creator><description><![CDATA[<b>x</b>]]></description></item>
<thumb xlink:href="a.png" URL="b.png" Type="A"/></channel></rss>`;

const resultOf = (xml: string, selectors: SelectorMap) =>
  extract(parseDocument(xml, { kind: 'xml' }), compileSelectors(selectors), {
    baseUrl: 'https://example.org/',
  });

describe('extract from XML', () => {
  it('matches exact local names and attributes', () => {
    const { data } = resultOf(RSS, {
      link: 'channel > link',
      date: 'item > pubDate',
      folded: 'item > pubdate',
      creator: 'creator',
      prefixed: 'dc\\:creator',
      href: 'thumb::attr(xlink:href)',
      url: { selector: 'thumb[URL]::attr(URL)', absolute: true },
      foldedAttribute: 'thumb::attr(url)',
      value: '[Type=a]',
      description: 'description',
    });
    expect(data).toEqual({
      link: 'https://example.org/',
      date: 'now',
      folded: null,
      creator: 'Ann',
      prefixed: null,
      href: 'a.png',
      url: 'https://example.org/b.png',
      foldedAttribute: null,
      value: null,
      description: '<b>x</b>',
    });
  });

  it('serializes elements with the namespaces that they need', () => {
    const { data } = resultOf(RSS, { item: 'item::html', creator: 'creator::html', thumb: 'thumb::html' });
    expect(data).toEqual({
      item: '<item><pubDate>now</pubDate><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ann</dc:creator><description><![CDATA[<b>x</b>]]></description></item>',
      creator: '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ann</dc:creator>',
      thumb: '<thumb xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="a.png" URL="b.png" Type="A"/>',
    });
  });

  it('writes an element with an unknown character alone as an empty one', () => {
    const { data } = resultOf('<r>\0</r>', { r: 'r::html' });
    expect(data).toEqual({ r: '<r/>' });
  });

  it('reads a document that is not well-formed as far as its tags tell, with a warning for the page', () => {
    const { data, warnings } = resultOf('<rss><title>a & b</title><pubDate>now</pubDate></rss>', {
      title: 'title',
      date: 'pubDate',
      none: 'x',
    });
    expect(data).toEqual({ title: 'a & b', date: 'now', none: null });
    expect(warnings).toEqual([
      {
        code: 'XML_NOT_WELL_FORMED',
        message:
          'The page was sent as XML but is not well-formed (1:53: unclosed tag: title): it was read as far as its tags tell, as feed readers do, and values near the error may be wrong.',
      },
      expect.objectContaining({ field: 'none', code: 'SELECTOR_NO_MATCH' }),
    ]);
  });
});
