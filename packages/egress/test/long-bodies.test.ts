import { gzipSync } from 'node:zlib';
import { type Origin, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient, type HttpClient } from '../src/index.ts';

let origin: Origin;
let client: HttpClient;

beforeAll(async () => {
  origin = await startOrigin();
  const policy = createEgressPolicy({ allow: [`127.0.0.1:${origin.port}`] });
  client = createHttpClient({ policy, longBodies: 'truncate', unpacksGzip: true, maxBodyBytes: 1000 });
});
afterAll(async () => {
  client.close();
  await origin.close();
});

async function bodyOf(path: string): Promise<Buffer> {
  const request = { url: origin.url + path, deadlineMs: Date.now() + 240_000 };
  return (await client.fetchPage(request, new AbortController().signal)).body;
}

const file = (bytes: Uint8Array, coding?: string) =>
  `/type?as=application/octet-stream${coding ? `&coding=${coding}` : ''}&hex=${Buffer.from(bytes).toString('hex')}`;

describe('a client that keeps the beginning of long bodies', () => {
  it.each(['/endless', '/size/5000000', '/bomb/gzip', '/bomb/br', '/bomb/zstd', '/compressed/twice'])(
    'reads %s up to the cap',
    async (path) => {
      expect(await bodyOf(path)).toHaveLength(1000);
    },
  );

  it('decodes what fits of a body whose compressed bytes exceed the cap', async () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_none, index) => (index * index * 7919) % 251));
    const body = await bodyOf(file(gzipSync(noise)));
    expect(body.length).toBeGreaterThan(0);
    expect(body).toEqual(noise.subarray(0, body.length));
  });

  it('reads shorter bodies to their end, which must be there', async () => {
    expect(await bodyOf('/size/999')).toHaveLength(999);
    await expect(bodyOf('/reset/mid-body')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    await expect(bodyOf('/compressed-cut/gzip')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
  });
});

describe('a client that unpacks gzip files', () => {
  it('decompresses a file that no header calls compressed', async () => {
    expect((await bodyOf(file(gzipSync('<urlset/>')))).toString()).toBe('<urlset/>');
    expect((await bodyOf(file(Buffer.from('<urlset/>')))).toString()).toBe('<urlset/>');
  });

  it('decompresses a file once more that was also sent compressed', async () => {
    const twice = gzipSync(gzipSync('<urlset/>'));
    expect((await bodyOf(file(twice, 'gzip'))).toString()).toBe('<urlset/>');
  });

  it('reads a bomb up to the cap, and reports a file that is not whole', async () => {
    expect(await bodyOf(file(gzipSync(Buffer.alloc(100_000))))).toHaveLength(1000);
    await expect(bodyOf(file(gzipSync('<urlset/>').subarray(0, 20)))).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
    });
  });
});
