import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { load } from 'cheerio';
import { BOOKS } from './shop/shop.ts';
import { type DemoRequest, type DemoSite, startDemoSite } from './start-demo-site.ts';

const requests: DemoRequest[] = [];
let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite({ host: '127.0.0.1', port: 0, onRequest: (request) => requests.push(request) });
});
beforeEach(() => {
  requests.length = 0;
});
afterAll(() => site.close());

const at = (path: string) => new URL(path, site.url).href;
const open = async (path: string) => load(await (await fetch(at(path))).text());

/** Returns the linked data of a page with the given type. */
function linkedData($: Awaited<ReturnType<typeof open>>, type: string): Record<string, unknown> {
  const all = $('script[type="application/ld+json"]').toArray();
  return all
    .map((script) => JSON.parse($(script).text()))
    .find((data) => [data['@type']].flat().includes(type));
}

/** Returns the paths that the links of the shop lead to, beginning at the home page, without denied ones. */
async function walk(): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const waiting = ['/'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (statuses.has(path)) continue;
    const response = await fetch(at(path));
    statuses.set(path, response.status);
    const $ = load(await response.text());
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    for (const link of $('a[href], img[src]').toArray()) {
      const url = new URL($(link).attr('href') ?? $(link).attr('src') ?? '', response.url);
      if (url.origin === new URL(site.url).origin && !/^\/(?:cart|search)/.test(url.pathname))
        waiting.push(url.pathname + url.search);
    }
  }
  return statuses;
}

async function sitemapPaths(): Promise<string[]> {
  const locations = async (url: string) => {
    const $ = load(await (await fetch(url)).text(), { xml: true });
    expect($('lastmod').length).toBe($('loc').length);
    return $('loc')
      .toArray()
      .map((loc) => $(loc).text());
  };
  const files = await locations(at('/sitemap.xml'));
  const pages = (await Promise.all(files.map(locations))).flat();
  return pages.map((url) => url.replace(at(''), '/'));
}

describe('the demo site', () => {
  it('lists books as docs/getting-started.md shows', async () => {
    const $ = await open('/');
    expect($('h1').text()).toBe('All books');
    const first = $('.book').first();
    expect([first.find('h2').text(), first.find('.price').text(), first.find('a').attr('href')]).toEqual([
      'Middlemarch',
      '£12.99',
      '/books/middlemarch',
    ]);
  });

  it('answers each link with a page', async () => {
    const statuses = await walk();
    expect([...statuses].filter(([, status]) => status !== 200)).toEqual([]);
    expect(statuses.size).toBeGreaterThan(150);
  });

  it('lists each page in its sitemaps', async () => {
    const linked = new Set((await walk()).keys());
    const listed = await sitemapPaths();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((path) => !linked.has(path))).toEqual([]);
    const books = [...linked].filter((path) => /\/books\/[^/?]+$/.test(path));
    expect(books.filter((path) => !listed.includes(path))).toEqual([]);
  });

  it('leads through all pages of a list by a.next', async () => {
    const titles: string[] = [];
    for (let path: string | undefined = '/books'; path !== undefined; ) {
      const $ = await open(path);
      titles.push(
        ...$('.book h2')
          .toArray()
          .map((title) => $(title).text()),
      );
      path = $('a.next').attr('href');
    }
    expect(titles).toEqual(BOOKS.map(({ title }) => title));
  });

  it('describes each book the same way for people and as linked data', async () => {
    expect(BOOKS.length).toBeGreaterThan(60);
    expect(new Set(BOOKS.map(({ path }) => path)).size).toBe(BOOKS.length);
    for (const { path, title, isbn } of BOOKS) {
      const $ = await open(path);
      const data = linkedData($, 'Book') as Record<string, string> & { offers: Record<string, string> };
      expect([data.name, $('h1').text(), $('html').attr('lang')]).toEqual([title, title, 'en']);
      expect(Number(data.offers.price)).toBe(Number($('.price data').first().attr('value')));
      expect(data.datePublished).toBe($('.properties time').attr('datetime'));
      expect(data.offers.availability?.endsWith('InStock')).toBe($('.stock').first().hasClass('in'));
      expect([data.isbn, $('.isbn').text(), isSound(isbn)]).toEqual([isbn, isbn, true]);
      expect($('.review')).toHaveLength(data.review?.length ?? 0);
      expect($('.related li')).toHaveLength(4);
      expect(linkedData($, 'BreadcrumbList').itemListElement).toHaveLength($('.breadcrumbs li').length);
    }
  });

  it('writes prices and dates for people', async () => {
    const $ = await open('/books/the-woman-in-white');
    expect([$('.price').first().text(), $('.was').first().text()]).toEqual(['£9.99', 'was £11.99']);
    expect($('.properties time').text()).toBe('5 May 2022');
  });

  it('links to pages that exist and that robots.txt denies, and reports who fetches them', async () => {
    const robots = await (await fetch(at('/robots.txt'))).text();
    expect(robots).toBe(
      `User-agent: *\nDisallow: /cart\nDisallow: /search\n\nSitemap: ${at('/sitemap.xml')}\n`,
    );
    const $ = await open('/books/emma');
    const paths = ['/cart', '/cart?add=emma', '/search'];
    for (const path of paths) expect($(`a[href="${path}"]`)).toHaveLength(1);
    for (const path of paths) expect((await fetch(at(path))).status).toBe(200);
    expect(requests).toEqual(['/robots.txt', '/books/emma', ...paths].map((url) => ({ method: 'GET', url })));
  });

  it('never ends its search', async () => {
    const $ = await open('/search?sort=price&category=poetry&page=4000');
    expect($('a.next').attr('href')).toBe('/search?sort=price&category=poetry&page=4001');
    expect(
      $('.filters a')
        .toArray()
        .map((link) => $(link).attr('href')),
    ).toContain('/search?sort=price&category=poetry&page=4000&category=gothic');
  });

  it('shows a query in the search without taking it as markup', async () => {
    const query = '"><b id=injected>';
    const $ = await open(`/search?q=${encodeURIComponent(query)}`);
    expect([$('input').attr('value'), $('#injected').length]).toEqual([query, 0]);
  });

  it('has specials by a script only', async () => {
    const $ = await open('/specials');
    expect($('.special')).toHaveLength(0);
    expect($('script').text()).toContain("fetch('/api/specials.json')");
    const { items } = (await (await fetch(at('/api/specials.json'))).json()) as { items: unknown[] };
    expect(items).toHaveLength(BOOKS.filter(({ priceBefore }) => priceBefore !== undefined).length);
    expect(items).toContainEqual({
      title: 'The Woman in White',
      author: 'Wilkie Collins',
      url: '/books/the-woman-in-white',
      price: { amount: 9.99, currency: 'GBP', text: '£9.99' },
      before: { amount: 11.99, currency: 'GBP', text: '£11.99' },
      discountPercent: 17,
    });
  });

  it('names the same canonical URL with ?ref= and without', async () => {
    for (const path of ['/books/emma', '/books/emma?ref=home'])
      expect((await open(path))('link[rel=canonical]').attr('href')).toBe(at('/books/emma'));
  });

  it.each(['/nothing', '/books/nothing', '/books?page=99', '/books?page=x', '/books/%zz', '//', '/blog/'])(
    'answers %s with 404',
    async (path) => {
      const response = await fetch(site.url.slice(0, -1) + path);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('Not here')]);
    },
  );

  it('answers 304 to a client that has the page', async () => {
    const { headers } = await fetch(at('/books/emma'));
    const [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
    const conditions: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", W/${etag}` }, 304],
      [{ 'if-none-match': '"other"', 'if-modified-since': modified }, 200],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
    ];
    for (const [condition, status] of conditions)
      expect((await fetch(at('/books/emma'), { headers: condition })).status).toBe(status);
    expect((await fetch(at('/nothing'), { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  it('answers HEAD without a body, and refuses other methods', async () => {
    const head = await fetch(at('/books'), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000);
    const post = await fetch(at('/books'), { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('takes a search by POST, as a form and as JSON', async () => {
    const form = await fetch(at('/search'), { method: 'POST', body: new URLSearchParams({ q: 'austen' }) });
    expect([form.status, await form.text()]).toEqual([200, expect.stringContaining('Emma')]);
    const search = (body: string) =>
      fetch(at('/api/search.json'), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
    const found = await (await search('{"q":"austen","sort":"price"}')).json();
    const { total, books } = found as { total: number; books: object[] };
    expect(books).toHaveLength(total);
    expect(books).toEqual(expect.arrayContaining([expect.objectContaining({ author: 'Jane Austen' })]));
    expect((await search('{')).status).toBe(200);
    expect((await search(`"${'x'.repeat(70_000)}"`)).status).toBe(413);
  });

  it('has an offer whose price is what a visitor posted last', async () => {
    const priceOf = async () => (await open('/offer'))('.price').text();
    const post = (price: string) =>
      fetch(at('/offer'), { method: 'POST', body: new URLSearchParams({ price }) });
    expect(await priceOf()).toBe('£30.00');
    expect((await post('17.5')).status).toBe(200);
    expect(await priceOf()).toBe('£17.50');
    const refused = await post('cheap');
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('such as 18')]);
    await fetch(at('/offer?price=1'));
    expect(await priceOf()).toBe('£17.50');
  });

  it('answers under the name localhost with URLs of that name, and under no other name', async () => {
    const { port } = new URL(site.url);
    expect(site.hosts).toEqual([`127.0.0.1:${port}`, `localhost:${port}`]);
    const robots = await (await fetch(`http://localhost:${port}/robots.txt`)).text();
    expect(robots).toContain(`Sitemap: http://localhost:${port}/sitemap.xml`);
    expect(await bodyUnder('evil.example')).toContain(`Sitemap: ${at('/sitemap.xml')}`);
  });
});

/** Returns the robots.txt for a client with this Host header. */
async function bodyUnder(host: string): Promise<string> {
  const request = get(at('/robots.txt'), { headers: { host } });
  const [response] = await once(request, 'response');
  return text(response);
}

/** Returns true if the check digit of an ISBN-13 is right. */
function isSound(isbn: string): boolean {
  const digits = [...isbn.replaceAll('-', '')].map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return digits.length === 13 && sum % 10 === 0;
}
