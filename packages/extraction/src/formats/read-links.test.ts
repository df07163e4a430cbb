import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type DocumentKind, parseDocument } from '../dom/parse-document.ts';
import { readLinks } from './extract-formats.ts';

const linksIn = (source: string, kind: DocumentKind = 'html') =>
  readLinks(parseDocument(source, { kind }), { baseUrl: 'https://example.org/a/', budget: new Budget() });

describe('readLinks', () => {
  it('returns absolute URLs with text and rel', () => {
    expect(
      linksIn('<a href=b rel="NoFollow  ugc"> to <b>b</b></a><a href="mailto:x@example.org">mail</a>'),
    ).toEqual([{ url: 'https://example.org/a/b', text: 'to b', rel: 'nofollow ugc' }]);
    expect(linksIn('<base href="https://other.example/"><a href=b>b</a>')).toEqual([
      { url: 'https://other.example/b', text: 'b', rel: null },
    ]);
  });

  it('returns each URL once, with the first text that there is', () => {
    expect(
      linksIn('<a href=b><img src=x></a><a href=c>c</a><a href=b>two</a><a href=b rel=next>three</a>'),
    ).toEqual([
      { url: 'https://example.org/a/b', text: 'two', rel: null },
      { url: 'https://example.org/a/c', text: 'c', rel: null },
    ]);
  });

  it('falls back to aria-label, alt and title', () => {
    expect(
      linksIn(`<a href=1 aria-label="label" title="title"><img alt="alt"></a><a href=2 title="title"><img alt="one"><img alt="two"></a>
        <a href=3 title="title"></a><map><area href=4 alt="area"></map><a href=5><style>x</style></a>`),
    ).toMatchObject([
      { text: 'label' },
      { text: 'one two' },
      { text: 'title' },
      { text: 'area' },
      { text: null },
    ]);
  });

  it('reads links of feeds', () => {
    expect(
      linksIn(
        `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" title="Feed" href="/feed"/></feed>`,
        'xml',
      ),
    ).toEqual([{ url: 'https://example.org/feed', text: 'Feed', rel: 'self' }]);
    expect(linksIn('<rss><channel><link>https://example.org/b</link></channel></rss>', 'xml')).toEqual([
      { url: 'https://example.org/b', text: null, rel: null },
    ]);
  });

  it('reads 100,000 nested links in linear time', () => {
    const open = Array.from(
      { length: 100_000 },
      (_none, index) => `<a href="/${index % 10}">${index}<b>`,
    ).join('');
    expect(
      linksIn(
        `<html xmlns="http://www.w3.org/1999/xhtml">${open}${'</b></a>'.repeat(100_000)}</html>`,
        'xml',
      ),
    ).toHaveLength(10);
    const inTables = '<table><td><a href=x>x'.repeat(20_000);
    expect(linksIn(inTables)).toEqual([{ url: 'https://example.org/a/x', text: 'x', rel: null }]);
  });

  it('stops at 10,000 URLs', () => {
    expect(
      linksIn(Array.from({ length: 10_500 }, (_none, index) => `<a href=${index}>x</a>`).join('')),
    ).toHaveLength(10_000);
  });
});
