import { describe, expect, it } from '@jest/globals';
import { Gleaner } from '../src/index.ts';
import { startService } from './support/start-service.ts';

const LINE = '{"url":"https://a.test/ü","data":{"title":"é"}}\n';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a stream of results', () => {
  it('yields one result per line, wherever the bytes are cut', async () => {
    await using service = await startService(async (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const byte of Buffer.from(LINE.repeat(2))) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const results = await collect(new Gleaner({ url: service.url }).jobs.results('job_1'));
    expect(results).toEqual([JSON.parse(LINE), JSON.parse(LINE)]);
    expect(service.received[0]?.path).toBe('/v1/jobs/job_1/results?format=ndjson');
  });

  it('yields those of pages of some kinds', async () => {
    await using service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(LINE);
    });
    const { jobs } = new Gleaner({ url: service.url });
    expect(await collect(jobs.results('job_1', { verdict: ['login', 'wall'] }))).toHaveLength(1);
    await collect(jobs.urls('job_1', { verdict: ['login', 'wall'] }));
    const asked = service.received.map(({ path }) => new URL(path, 'http://a.test').searchParams);
    expect(asked.map((query) => query.get('verdict'))).toEqual(['login,wall', 'login,wall']);
  });

  it.each([
    ['its connection breaks', LINE, true],
    ['its last line has no end', LINE + LINE.slice(0, 9), false],
    ['a line is not JSON', `${LINE}<html>\n`, false],
  ])('yields what is whole and then fails when %s', async (_what, text, isBroken) => {
    await using service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(text, () => (isBroken ? response.destroy() : response.end()));
    });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const result of new Gleaner({ url: service.url }).jobs.results('job_1')) seen.push(result);
    };
    await expect(read()).rejects.toMatchObject({ code: 'STREAM_CUT', source: 'client' });
    expect(seen).toEqual([JSON.parse(LINE)]);
  });

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

  it('is not opened again without end when it brings nothing, nor while the job may still change', async () => {
    const startCut = (completedAt: string | undefined) =>
      startService((response, { path }) => {
        if (!path.includes('/results')) return void response.end(JSON.stringify({ job: { completedAt } }));
        response.writeHead(200).write(LINE.slice(0, 9), () => response.destroy());
      });
    await using finished = await startCut('2026-01-01T00:00:00.000Z');
    const read = (url: string) => collect(new Gleaner({ url }).jobs.results('job_1'));
    await expect(read(finished.url)).rejects.toMatchObject({ code: 'STREAM_CUT' });
    expect(finished.received.filter(({ path }) => path.includes('/results'))).toHaveLength(3);
    await using running = await startCut(undefined);
    await expect(read(running.url)).rejects.toMatchObject({ code: 'STREAM_CUT' });
    expect(running.received.filter(({ path }) => path.includes('/results'))).toHaveLength(1);
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
    const { jobs } = new Gleaner({ url: service.url, timeoutMs: 100 });
    const results = jobs.results('job_1');
    expect(await results.next()).toMatchObject({ done: false });
    await new Promise((done) => setTimeout(done, 200));
    await expect(results.next()).rejects.toMatchObject({ code: 'CLIENT_TIMEOUT' });
  });

  it('joins the bytes of a screenshot', async () => {
    await using service = await startService((response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write(Buffer.from([1, 2]), () => response.end(Buffer.from([3])));
    });
    expect(await new Gleaner({ url: service.url }).jobs.screenshot('job_1', 0)).toEqual(
      Uint8Array.of(1, 2, 3),
    );
  });
});
