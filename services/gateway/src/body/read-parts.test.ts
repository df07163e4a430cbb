import { createRandom } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { readParts } from './read-parts.ts';

const PIECES = ['a', 'ä', '\r\n', '\n', '-', '--', '--limit', '\r\n--', '\r\n\r\n', '\0', '"'];
const NAMES = ['file', 'options', 'ä"b', 'a b', 'x'.repeat(300)];
const form = { contentType: 'multipart/form-data; boundary=limit', boundary: 'limit' };

const describePart = async ({ name, file, content }: Awaited<ReturnType<typeof readParts>>[number]) => {
  return [name, file && [file.name, file.type], content.toString()];
};

describe('readParts', () => {
  it('reads what the platform reads', async () => {
    const random = createRandom(1);
    const randomText = (pieces: number) =>
      Array.from({ length: random.below(pieces) }, () => random.pick(PIECES)).join('');
    for (let count = 0; count < 200; count += 1) {
      const sent = new FormData();
      for (let parts = 1 + random.below(5); parts > 0; parts -= 1) {
        const bytes = new Blob([randomText(30)], { type: random.pick(['', 'text/html', 'text/plain']) });
        if (random.below(2) === 0) sent.append(random.pick(NAMES), randomText(10).replaceAll('\n', ''));
        else sent.append(random.pick(NAMES), bytes, random.pick(NAMES));
      }
      const { body, headers } = new Response(sent);
      const contentType = headers.get('content-type') ?? '';
      const bytes = Buffer.from(await new Response(body).arrayBuffer());
      const expected = [
        ...(await new Response(bytes, { headers: { 'content-type': contentType } }).formData()),
      ];
      const parts = await readParts(bytes, {
        contentType,
        boundary: contentType.split('boundary=')[1] ?? '',
      });
      expect(await Promise.all(parts.map(describePart))).toEqual(
        await Promise.all(
          expected.map(async ([name, value]) =>
            value instanceof File
              ? [name, [value.name, value.type], await value.text()]
              : [name, undefined, value],
          ),
        ),
      );
    }
  });

  const HEAD = 'Content-Disposition: form-data; name="file"; filename="a"\r\n';

  it.each([
    ['line breaks before the first part', `\r\n--limit\r\n${HEAD}\r\nb\r\n--limit--`],
    ['text before and after', `before\r\n--limit\r\n${HEAD}\r\nb\r\n--limit--\r\nafter`],
  ])('reads a part with %s', async (_name, body) => {
    const [part] = await readParts(Buffer.from(body), form);
    expect(part?.content.toString()).toBe('b');
  });

  it.each([
    ['nothing', '', 'is not multipart/form-data, as its Content-Type says'],
    ['no end', `--limit\r\n${HEAD}\r\nb`, 'is not multipart/form-data, as its Content-Type says'],
    ['no name', '--limit\r\n\r\nb\r\n--limit--', 'is not multipart/form-data, as its Content-Type says'],
    [
      'endless headers',
      `--limit\r\n${HEAD}a: ${'b'.repeat(20_000)}\r\n\r\n\r\n--limit--`,
      'is not multipart/form-data, as its Content-Type says',
    ],
    [
      'an encoded part',
      `--limit\r\n${HEAD}Content-Transfer-Encoding: Base64\r\n\r\nYQ==\r\n--limit--`,
      'has a part with Content-Transfer-Encoding: send its bytes as they are',
    ],
    ['eleven parts', `${`--limit\r\n${HEAD}\r\nb\r\n`.repeat(11)}--limit--`, 'must have at most 10 parts'],
  ])('refuses a body with %s', async (_name, body, message) => {
    await expect(readParts(Buffer.from(body), form)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: '', message }],
    });
  });
});
