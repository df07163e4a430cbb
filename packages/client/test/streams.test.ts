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
