import { deflateSync } from 'node:zlib';
import { compileSelectors, type SelectorMap } from '@gleaner/extraction';
import { makePdf } from '@gleaner/test-kit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PageReader, Turns } from './page-reader.ts';
import type { PageToRead } from './read-page.ts';

// As long as a busy machine may need for the hostile pages.
const reader = new PageReader({ maxThreads: 1, timeoutMs: 280_000 });
afterAll(() => reader.close());

const { signal } = new AbortController();
const SELECTORS = { title: 'h1', links: 'a::attr(href)::all' };

function page(html: string, selectors: SelectorMap | null = SELECTORS): PageToRead {
  const plan = selectors && compileSelectors(selectors);
  return {
    body: Buffer.from(html),
    encoding: 'utf-8',
    kind: 'html',
    plan,
    formats: [],
    baseUrl: 'https://example.org/',
    askedUrl: 'https://example.org/',
    engine: 'http',
  };
}

/** A page that is too large for the event loop. */
function padded(html: string): string {
  return `${html}<!--${' '.repeat(70_000)}-->`;
}

async function dataOf(toRead: PageToRead): Promise<unknown> {
  return JSON.parse((await reader.read(toRead, { accountId: 'acc_1', signal })).dataJson ?? '');
}

describe('PageReader', () => {
  it('returns the same for a small page, read at once, and a large one, read in a thread', async () => {
    const html = '<h1>Títle</h1><a href=1>one</a><a href=2>two</a>';
    const small = await reader.read(page(html, { ...SELECTORS, missing: 'h6' }), {
      accountId: 'acc_1',
      signal,
    });
    expect(JSON.parse(small.dataJson ?? '')).toStrictEqual({
      title: 'Títle',
      links: ['1', '2'],
      missing: null,
    });
    expect(small.warnings).toMatchObject([{ field: 'missing', code: 'SELECTOR_NO_MATCH' }]);
    expect(
      await reader.read(page(padded(html), { ...SELECTORS, missing: 'h6' }), { accountId: 'acc_1', signal }),
    ).toEqual({ ...small, times: { parse: expect.any(Number), extract: expect.any(Number) } });
  });

  it('returns title, description, text and links without a plan', async () => {
    const html = '<title>T</title><meta name=description content=D><p>one<p>two<a href=/x>three</a>';
    const expected = {
      title: 'T',
      description: 'D',
      text: 'one\ntwothree',
      links: ['https://example.org/x'],
    };
    expect(await dataOf(page(html, null))).toStrictEqual(expected);
    expect(await dataOf(page(padded(html), null))).toStrictEqual(expected);
  });

  it('reads a body in its encoding, in a thread too', async () => {
    const body = Buffer.from(padded('<h1>\xcf\xf0\xe8\xe2\xe5\xf2</h1>'), 'latin1');
    expect(await dataOf({ ...page(''), body, encoding: 'windows-1251' })).toMatchObject({ title: 'Привет' });
  });

  it('keeps a plain text unchanged, in a thread too', async () => {
    const text = '#include <stdio.h>\nint main() { return 1 < 2 && 3 > 2; }';
    const one = page(text, { all: 'body', heading: 'h1', code: 'pre::html' });
    const expected = {
      all: text.replace('\n', ' '),
      heading: null,
      code: '<pre>#include &lt;stdio.h&gt;\nint main() { return 1 &lt; 2 &amp;&amp; 3 &gt; 2; }</pre>',
    };
    expect(await dataOf({ ...one, kind: 'text' })).toStrictEqual(expected);
    const long = Buffer.from(`${text}${' '.repeat(70_000)}`);
    expect(await dataOf({ ...one, body: long, kind: 'text' })).toMatchObject({ all: expected.all });
  });

  it('moves a small page that needs too much work to a thread', async () => {
    const html = `${'<p>'.repeat(20_000)}<h1>done</h1>`;
    const many = Array.from({ length: 99 }, (_, index) => [`f${index}`, 'p + p + p + h1']);
    expect(await dataOf(page(html, Object.fromEntries(many)))).toHaveProperty('f98', 'done');
  });

  it('reads pages of jobs on the event loop, and in a thread if they are huge or interactive traffic is present', async () => {
    const own = new PageReader({ maxThreads: 1 });
    const wasMoved = async (html: string) => {
      // Bytes in their own memory are transferred to a thread, and are empty here.
      const body = new TextEncoder().encode(html);
      const { dataJson } = await own.read(
        { ...page(''), body },
        { accountId: 'acc_1', jobId: 'job_1', signal },
      );
      expect(JSON.parse(dataJson ?? '')).toMatchObject({ title: 'Title' });
      return body.length === 0;
    };
    const small = '<h1>Title</h1>';
    const large = padded(small);
    own.noteScrape();
    // The thread has not started yet.
    expect(await wasMoved(small)).toBe(false);
    expect(await wasMoved(padded(padded(padded(large))))).toBe(true);
    own.noteScrape();
    expect(await wasMoved(small)).toBe(true);
    await own.close();
    const quiet = new PageReader({ maxThreads: 1 });
    const body = new TextEncoder().encode(large);
    await quiet.read({ ...page(''), body }, { accountId: 'acc_1', jobId: 'job_1', signal });
    expect(body.length).toBeGreaterThan(0);
    await quiet.close();
  });

  it('rejects values that grow too large in a message, where every quote is escaped twice', async () => {
    const quotes = page(`<p>${'"'.repeat(5_000_000)}`, { quotes: 'p' });
    await expect(reader.read(quotes, { accountId: 'acc_1', signal })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('in a message'),
    });
    const letters = page(`<p>${'x'.repeat(5_000_000)}`, { letters: 'p' });
    expect((await reader.read(letters, { accountId: 'acc_1', signal })).dataJson).toHaveLength(5_000_014);
  });

  it('rejects a PDF that unpacks to much more than fits into memory, and serves others in that time', async () => {
    const once = deflateSync(Buffer.alloc(200_000_000, ' '), { level: 1 });
    const stream = deflateSync(deflateSync(once));
    const body = makePdf([{ stream, filter: '[/FlateDecode /FlateDecode /FlateDecode]' }]);
    const bomb = reader.read({ ...page('', null), body, kind: 'pdf' }, { accountId: 'acc_1', signal });
    const other = reader.read(page(padded('<h1>x</h1>')), { accountId: 'acc_2', signal });
    await expect(bomb).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('MB of memory'),
    });
    expect(JSON.parse((await other).dataJson ?? '')).toMatchObject({ title: 'x' });
    expect(await dataOf(page(padded('<h1>y</h1>')))).toMatchObject({ title: 'y' });
  });

  it('rejects values that would not fit into a reply', async () => {
    // The output is quadratic: every level contains all inner levels.
    const hostile = page(`<h1>x</h1>${'<div>text '.repeat(30_000)}`, { all: 'div:nth-child(n)::html::all' });
    await expect(reader.read(hostile, { accountId: 'acc_1', signal })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
    });
  });
});

const turnOfEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets several pages take turns, and returns what has been read so far, in order. */
function readPages(turns: Turns, count: number): number[] {
  const read: number[] = [];
  for (let page = 0; page < count; page++) void turns.take('job').then(() => read.push(page));
  return read;
}

describe('Turns', () => {
  it('gives each page a turn of the event loop, in order', async () => {
    const read = readPages(new Turns(), 3);
    const sizes: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await turnOfEventLoop();
      sizes.push(read.length);
    }
    expect(read).toEqual([0, 1, 2]);
    expect(new Set(sizes).size).toBeGreaterThan(2);
  });

  it('lets jobs take turns, so that a page of a small job does not wait for all pages of a large one', async () => {
    const turns = new Turns();
    const read: string[] = [];
    const pages = ['large 0', 'large 1', 'large 2', 'small 0', 'other 0', 'other 1'].map((page) =>
      turns.take(page.slice(0, 5)).then(() => read.push(page)),
    );
    await Promise.all(pages);
    expect(read).toEqual(['large 0', 'small 0', 'other 0', 'large 1', 'other 1', 'large 2']);
  });
});
