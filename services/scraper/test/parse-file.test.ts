import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Broker } from '@gleaner/broker';
import { LIMITS, type ParseCommand } from '@gleaner/contracts';
import { makePdf } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

describe('a file that a caller sent', () => {
  let scraper: TestScraper;
  let broker: Broker;

  beforeAll(async () => {
    scraper = await startTestScraper();
    broker = await scraper.connect();
  });
  afterAll(async () => {
    await broker.close();
    await scraper[Symbol.asyncDispose]();
  });

  async function parse(
    bytes: Uint8Array | string,
    file: Omit<ParseCommand['file'], 'bytes'>,
    request: ParseCommand['request'] = { formats: ['markdown'] },
  ) {
    const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }).toString(
      'base64',
    );
    const command = { accountId: 'acc_test', file: { ...file, bytes: packed }, request };
    const { content } = await broker.request('snapshots.commands', command, { timeoutMs: 240_000 });
    return JSON.parse(brotliDecompressSync(Buffer.from(content, 'base64')).toString());
  }

  /** Nothing compresses it. */
  const LARGE_IMAGE = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    randomBytes(LIMITS.maxPageBytes - 8),
  ]);
  const GREETING = 'Привет, мир';
  const CYRILLIC = Buffer.from([...GREETING].map((letter) => bytesOf1251(letter)));

  it.each([
    ['HTML by its type', 'a', 'text/html', '<h1>A</h1>', '# A'],
    ['HTML by the ending of its name', 'a.HTM', undefined, '<h1>A</h1>', '# A'],
    ['HTML of an unknown type', 'a.html', 'application/octet-stream', '<h1>A</h1>', '# A'],
    ['a text', 'a.txt', undefined, '# A', '```\n# A\n```'],
    [
      'a text in the encoding of its type',
      'a.txt',
      'text/plain; charset=windows-1251',
      CYRILLIC,
      `\`\`\`\n${GREETING}\n\`\`\``,
    ],
    [
      'HTML in the encoding that it names',
      'a.html',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset=windows-1251><p>'), CYRILLIC]),
      GREETING,
    ],
    [
      'a PDF',
      'a.pdf',
      undefined,
      makePdf([[{ text: 'A line of a PDF.' }]]),
      expect.stringContaining('A line of a PDF.'),
    ],
  ])('is read: %s', async (_what, name, contentType, bytes, markdown) => {
    const file = { name, ...(contentType !== undefined && { contentType }) };
    expect((await parse(bytes, file)).formats.markdown).toEqual(markdown);
  });

  it('is read with selectors, and with warnings about them', async () => {
    const request = { selectors: { title: 'h1', price: '.price' } };
    expect(await parse('<h1>A</h1>', { name: 'a.html' }, request)).toMatchObject({
      data: { title: 'A', price: null },
      warnings: [{ field: 'price', code: 'SELECTOR_NO_MATCH' }],
    });
  });

  it.each([
    ['an image', 'a.png', 'image/png', Buffer.from('89504e470d0a1a0a', 'hex'), /^"a.png" is a PNG image/],
    ['another type', 'a.docx', 'application/msword', Buffer.from('word'), /is of type application\/msword/],
    ['an empty one', 'a.html', 'text/html', Buffer.from(''), /is empty/],
    ['an image of the largest size', 'a.png', 'image/png', LARGE_IMAGE, /is a PNG image/],
    ['a broken PDF', 'a.pdf', 'application/pdf', Buffer.from('%PDF-1.7 broken'), /./],
  ])('is refused: %s', async (_what, name, contentType, bytes, message) => {
    await expect(parse(bytes, { name, contentType })).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringMatching(message),
    });
  });

  it('is refused if it is a PDF of which elements are asked for', async () => {
    const request = { selectors: { title: 'h1' }, formats: ['markdown' as const] };
    await expect(parse(makePdf([[{ text: 'A' }]]), { name: 'a.pdf' }, request)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      details: [{ path: 'selectors' }],
    });
  });
});

/** Encodes a letter of the Cyrillic alphabet in windows-1251. */
function bytesOf1251(letter: string): number {
  const code = letter.charCodeAt(0);
  return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code;
}
