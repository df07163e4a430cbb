import { describe, expect, it } from '@jest/globals';
import { Gleaner } from '../src/index.ts';
import { startService } from './support/start-service.ts';

const LINE = '{"url":"https://a.test/ü","data":{"title":"é"}}\n';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a call', () => {
  it('is rejected with the reason of its signal', async () => {
    const controller = new AbortController();
    await using service = await startService(() => controller.abort(new Error('enough')));
    const call = new Gleaner({ url: service.url }).usage({}, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
  });
});

describe('a stream of results', () => {
  it('goes on where it broke off, byte by byte, when the job had finished before', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => LINE.replace('é', `é ${index}`));
    let cuts = 0;
    await using service = await startService((response, { path }) => {
      if (!path.includes('/results')) {
        return void response.end(JSON.stringify({ job: { completedAt: '2026-01-01T00:00:00.000Z' } }));
      }
      const offset = Number(new URL(path, 'http://a.test').searchParams.get('offset') ?? 0);
      const whole = Buffer.from(lines.slice(offset).join(''));
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      // Each stream breaks off a little later within a line.
      const end = 500 + cuts * 7;
      if (end >= whole.length) return void response.end(whole);
      cuts += 1;
      response.write(whole.subarray(0, end), () => response.destroy());
    });
    const { jobs } = new Gleaner({ url: service.url });
    const bytes = Buffer.concat(await collect(jobs.download('job_1', { format: 'ndjson' })));
    expect(bytes.toString()).toBe(lines.join(''));
    expect(cuts).toBeGreaterThan(3);
    cuts = 0;
    expect(await collect(jobs.results('job_1'))).toEqual(lines.map((line) => JSON.parse(line)));
  });

  it('ends the response when the reader stops', async () => {
    const closed = Promise.withResolvers<void>();
    await using service = await startService((response) => {
      response.on('close', closed.resolve);
      response.writeHead(200).write(LINE);
    });
    for await (const _result of new Gleaner({ url: service.url }).jobs.results('job_1')) break;
    await closed.promise;
  });

  it('bounds each wait for more, not the time that the reader takes', async () => {
    await using service = await startService((response) => void response.writeHead(200).write(LINE));
    const { jobs } = new Gleaner({ url: service.url, timeoutMs: 15_000 });
    const results = jobs.results('job_1');
    expect(await results.next()).toMatchObject({ done: false });
    await new Promise((done) => setTimeout(done, 16_000));
    await expect(results.next()).rejects.toMatchObject({ code: 'CLIENT_TIMEOUT' });
  });
});
