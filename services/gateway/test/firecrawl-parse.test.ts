import { LIMITS } from '@gleaner/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { useFirecrawl } from './support/use-firecrawl.ts';

const { service, ask } = useFirecrawl();

beforeAll(async () => {
  await startScriptedSnapshots(service.bed.broker);
});

const HTML = new Blob(['<h1>A page</h1>'], { type: 'text/html' });

/** Uploads parts: a text, or a file by its name. */
async function upload(parts: readonly (readonly [name: string, value: string | Blob, file?: string])[]) {
  const form = new FormData();
  for (const [name, value, file] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, file);
  }
  const request = new Response(form);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  return await ask('/v2/parse', { headers, body: Buffer.from(await request.arrayBuffer()) });
}

const charged = async () => (await ask('/v1/usage')).json.usage.used;

describe('POST /parse', () => {
  it('has a scraper read the file, for a credit', async () => {
    const before = await charged();
    const options = { formats: ['markdown', 'rawHtml'], excludeTags: ['nav'], origin: 'sdk', timeout: 5000 };
    const { status, json } = await upload([
      ['options', JSON.stringify(options)],
      ['file', HTML, 'a "page".html'],
    ]);
    expect([status, json]).toMatchObject([
      200,
      {
        success: true,
        data: {
          metadata: { sourceURL: 'a "page".html', statusCode: 200, creditsUsed: 1 },
          warning: 'timeout has no effect: A file is read within 20 seconds.',
        },
      },
    ]);
    expect(JSON.parse(json.data.markdown)).toEqual([
      'a "page".html',
      'text/html',
      '<h1>A page</h1>',
      {
        formats: [{ type: 'markdown', main: true, exclude: 'nav' }, 'metadata'],
        selectors: { rawHtml: ':root::html' },
      },
    ]);
    expect(await charged()).toBe(before + 1);
  });

  it('takes a file alone, and charges nothing for one that cannot be read', async () => {
    const before = await charged();
    expect((await upload([['file', HTML, 'a.html']])).status).toBe(200);
    const { status, json } = await upload([['file', HTML, 'broken.html']]);
    expect([status, json]).toMatchObject([422, { success: false, code: 'UNSUPPORTED_CONTENT' }]);
    expect(await charged()).toBe(before + 1);
  });

  it.each<[string, Parameters<typeof upload>[0], string]>([
    ['no file', [['options', '{}']], 'file'],
    ['a file that is a text', [['file', '<h1>']], 'file'],
    ['two files', [['file', HTML, 'a.html'], ['file', HTML, 'b.html']], 'file'], // biome-ignore format: one case a line
    ['an unknown part', [['file', HTML, 'a.html'], ['url', 'x']], 'url'], // biome-ignore format: one case a line
    ['two options', [['file', HTML, 'a.html'], ['options', '{}'], ['options', '{}']], 'options'], // biome-ignore format: one case a line
    ['an unknown option', [['file', HTML, 'a.html'], ['options', '{"waitFor":1}']], 'waitFor'], // biome-ignore format: one case a line
    ['a screenshot', [['file', HTML, 'a.html'], ['options', '{"formats":["markdown","screenshot"]}']], 'formats.1'], // biome-ignore format: one case a line
    ['a model', [['file', HTML, 'a.html'], ['options', '{"formats":["json"]}']], 'formats.0'], // biome-ignore format: one case a line
    ['many parts', Array(11).fill(['file', HTML, 'a.html']), ''],
  ])('refuses %s', async (_what, parts, path) => {
    const { status, json } = await upload(parts);
    expect([status, json.details.map((detail: { path: string }) => detail.path)]).toEqual([400, [path]]);
  });

  it.each(['{', '[]', '['.repeat(100)])(
    'names the options that are not an object of JSON: %s',
    async (options) => {
      const { status, json } = await upload([['file', HTML, 'a.html'], ['options', options]]); // biome-ignore format: one line
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^The part "options" /)]);
    },
  );

  it('refuses other types, bodies that are not what they say, and files that are too large', async () => {
    const codes = [];
    const form = { 'content-type': 'multipart/form-data; boundary=a' };
    for (const { headers, body } of [
      { body: { url: 'https://example.com/' } },
      { headers: { 'content-type': 'multipart/form-data' }, body: '--a--' },
      { headers: form, body: 'no parts' },
      { headers: form, body: '--a\r\nContent-Disposition: form-data; name=file' },
      { headers: { ...form, 'content-encoding': 'gzip' }, body: '--a--' },
    ]) {
      const { status, json } = await ask('/v2/parse', { body, ...(headers && { headers }) });
      codes.push([status, json.code]);
    }
    const large = new Blob([Buffer.alloc(LIMITS.maxPageBytes + 1, 'a')], { type: 'text/plain' });
    const { status, json } = await upload([['file', large, 'a.txt']]);
    expect([...codes, [status, json.code]]).toEqual([
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [400, 'INVALID_REQUEST'],
      [400, 'INVALID_REQUEST'],
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      [413, 'PAYLOAD_TOO_LARGE'],
    ]);
  });
});
