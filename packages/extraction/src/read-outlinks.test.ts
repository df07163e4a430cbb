import { describe, expect, it } from '@jest/globals';
import { Budget } from './budget.ts';
import { type DocumentKind, parseDocument } from './dom/parse-document.ts';
import { type OutlinkSelection, planOutlinks, readOutlinks, readPageIdentity } from './read-outlinks.ts';

const BASE = 'https://shop.example/books/';

function outlinks(html: string, selection: Partial<OutlinkSelection> = {}, kind: DocumentKind = 'html') {
  const context = { baseUrl: BASE, budget: new Budget() };
  const plan = planOutlinks({ follow: true, ...selection });
  return [...readOutlinks(parseDocument(html, { kind }), plan, context)];
}

const urls = (...args: Parameters<typeof outlinks>) => outlinks(...args).map(({ url }) => url.href);

function identity(html: string, kind: DocumentKind = 'html') {
  return readPageIdentity(parseDocument(html, { kind }), { baseUrl: BASE, budget: new Budget() });
}

describe('the links of a page', () => {
  it('are those of a, area and link rel=next, absolute, in document order, each spelling once', () => {
    const html = `<link rel="stylesheet" href=style.css><link rel="foo NEXT" href="?page=2">
      <a href=1>1</a><map><area href="/2"></map><a href=1>again</a><a name=x>no</a><iframe src=3></iframe>
      <a href="  4&#10; ">4</a>`;
    expect(urls(html)).toEqual([
      'https://shop.example/books/?page=2',
      'https://shop.example/books/1',
      'https://shop.example/2',
      'https://shop.example/books/4',
    ]);
  });

  it('are resolved by the base of the document', () => {
    expect(urls('<base href="//other.example/x/"><a href=1></a>')).toEqual(['https://other.example/x/1']);
  });

  it('are http or https', () => {
    const html = 'mailto:a@b.c javascript:1 ftp://a/ data:,x tel:1 about:blank http://[ #top HTTP://A.B'
      .split(' ')
      .map((href) => `<a href="${href}"></a>`)
      .join('');
    expect(urls(html)).toEqual(['https://shop.example/books/', 'http://a.b/']);
  });

  it('keep a fragment only where it may name another page', () => {
    const html = ['/x#a', '/x#b', '/x', '/y#', '/#!/z', '/#/z', ' \n/v#a ', '/w #a', '/u#\t!a']
      .map((href) => `<a href="${href}"></a>`)
      .join('');
    const found = urls(html).map((url) => url.slice('https://shop.example'.length));
    expect(found).toEqual(['/x', '/y', '/#!/z', '/#/z', '/v', '/w%20#a', '/u#!a']);
  });

  it('tell whether they ask not to be followed', () => {
    expect(
      outlinks('<a href=1 rel="noopener NOFOLLOW"></a><a href=1></a><a href=2 rel="nofollows"></a>').map(
        ({ url, isNofollow }) => [url.pathname, isNofollow],
      ),
    ).toEqual([
      ['/books/1', true],
      ['/books/1', false],
      ['/books/2', false],
    ]);
  });

  it('exist in no template, no other XML than XHTML, and no text', () => {
    expect(urls('<body><template><a href=1></a></template><noscript><a href=2></a></noscript>')).toEqual([
      'https://shop.example/books/2',
    ]);
    expect(urls('<rss><channel><link>https://a.b/</link></channel></rss>', {}, 'xml')).toEqual([]);
    expect(urls('{"a": "<a href=1></a>"}', {}, 'json')).toEqual([]);
    const xhtml = '<html xmlns="http://www.w3.org/1999/xhtml"><a href="1"/></html>';
    expect(urls(xhtml, {}, 'xml')).toEqual(['https://shop.example/books/1']);
  });
});

describe('the selection of links', () => {
  const html = `<nav><a href=/1></a></nav><div class=card><p><a class=title href=/2></a></p>
    <div class=card><a href=/3></a></div></div><a class=title href=/4></a><a class=next href=/5></a>`;

  it('takes those that match, and those inside what matches', () => {
    expect(urls(html, { follow: ['.title'] })).toEqual(['https://shop.example/2', 'https://shop.example/4']);
    expect(urls(html, { follow: ['.card', 'nav', '.card a'] })).toEqual([
      'https://shop.example/1',
      'https://shop.example/2',
      'https://shop.example/3',
    ]);
    expect(urls(html, { follow: ['.missing'] })).toEqual([]);
  });

  it('puts the next page first, whatever else is followed', () => {
    expect(outlinks(html, { follow: false, next: '.next' })).toEqual([
      { url: new URL('https://shop.example/5'), isNext: true, isNofollow: false },
    ]);
    const all = outlinks(html, { next: '.next' });
    expect(all.map(({ url, isNext }) => [url.pathname, isNext])).toEqual([
      ['/5', true],
      ['/1', false],
      ['/2', false],
      ['/3', false],
      ['/4', false],
    ]);
  });

  it('is rejected with every error by its path', () => {
    expect(() => planOutlinks({ follow: ['a', 'a['], next: '//a' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_SELECTOR',
        details: [
          { path: 'follow.1', message: expect.any(String) },
          { path: 'next', message: expect.stringContaining('XPath') },
        ],
      }),
    );
  });

  it('takes linear time on nested matches', () => {
    const nested = `${'<div class=card>'.repeat(20_000)}<a href=1></a>`;
    expect(urls(nested, { follow: ['.card'] })).toHaveLength(1);
  });
});

describe('the identity of a page', () => {
  it('names the canonical URL', () => {
    expect(identity('<link rel="x CANONICAL" href=/b><link rel=canonical href=/c>').canonicalUrl).toBe(
      'https://shop.example/b',
    );
    expect(identity('<link rel=canonical href="mailto:x">').canonicalUrl).toBeUndefined();
    expect(identity('<link rel=canonical>')).not.toHaveProperty('canonicalUrl');
  });

  it.each([
    ['<meta name=robots content="noindex, NOFOLLOW">', true],
    ['<meta name=Gleaner content=none>', true],
    ['<meta name=robots content="index,follow">', false],
    ['<meta name=googlebot content=nofollow>', false],
    ['<meta name=robots>', false],
  ])('reads from %s that its links may not be followed: %s', (html, isNofollow) => {
    expect(identity(html).isNofollow).toBe(isNofollow);
  });

  it('has equal hashes for equal readable texts', () => {
    const hash = identity('<p>One</p><script>1</script>').textHash;
    expect(hash).toMatch(/^[\w-]{22}$/);
    expect(identity('<div class=x><p> One\n</p></div><script>2</script>').textHash).toBe(hash);
    expect(identity('<p>Two</p>').textHash).not.toBe(hash);
    expect(identity('{"a":1}', 'json').textHash).not.toBe(identity('{"a":2}', 'json').textHash);
  });
});
