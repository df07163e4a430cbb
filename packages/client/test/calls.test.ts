import { describe, expect, it } from '@jest/globals';
import { Gleaner, GleanerError } from '../src/index.ts';
import { sendError, sendJson, startService } from './support/start-service.ts';

const page = { success: true, data: { title: 'Hello' }, metadata: {} };

async function errorOf(call: Promise<unknown>): Promise<GleanerError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GleanerError);
  return error as GleanerError;
}

describe('a call', () => {
  it('sends the key and the JSON of the request, and returns the payload', async () => {
    await using service = await startService((response) => sendJson(response, 200, page));
    const gleaner = new Gleaner({ url: `${service.url}/`, apiKey: 'gl_secret\r\n' });
    const { data } = await gleaner.scrape({ url: 'https://a.test/', selectors: { title: 'h1' } });
    expect(data.title).toBe('Hello');
    const [{ method, path, headers, body } = { body: '' }] = service.received;
    expect([method, path, headers?.authorization]).toEqual(['POST', '/v1/scrape', 'Bearer gl_secret']);
    expect(JSON.parse(body)).toEqual({ url: 'https://a.test/', selectors: { title: 'h1' } });
  });

  it('keeps the path of the address, fills in ids and leaves undefined parameters out', async () => {
    await using service = await startService((response) =>
      sendJson(response, 200, { success: true, job: {} }),
    );
    const gleaner = new Gleaner({ url: `${service.url}/gleaner/`, apiKey: 'gl_1' });
    await gleaner.jobs.get('a/b?c', { resultsLimit: 0, resultsOffset: undefined });
    expect(service.received[0]?.path).toBe('/gleaner/v1/jobs/a%2Fb%3Fc?resultsLimit=0');
  });

  it('repeats the creation of a job under one key until it is answered', async () => {
    await using service = await startService((response, _request, count) => {
      if (count === 0) response.destroy();
      else if (count === 1) sendError(response, 503, { code: 'SERVICE_UNAVAILABLE' });
      else sendJson(response, 202, { success: true, job: { id: 'job_1' } });
    });
    const job = await new Gleaner({ url: service.url, apiKey: 'gl_1' }).jobs.create({
      urls: ['https://a.test/'],
    });
    expect(job.id).toBe('job_1');
    const keys = service.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });

  it('does not repeat a scrape whose connection broke', async () => {
    await using service = await startService((response) => void response.destroy());
    const error = await errorOf(new Gleaner({ url: service.url }).scrape({ url: 'https://a.test/' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', source: 'client', status: undefined });
    expect(service.received).toHaveLength(1);
  });

  it('does not repeat an error of the target, and reports all of it', async () => {
    await using service = await startService((response) =>
      sendError(response, 429, { code: 'RATE_LIMITED', source: 'target' }, { 'retry-after': '7' }),
    );
    const error = await errorOf(new Gleaner({ url: service.url }).jobs.get('job_1'));
    expect(error).toMatchObject({
      ...{ code: 'RATE_LIMITED', source: 'target', status: 429, retryAfterMs: 7000, requestId: 'req_1' },
      ...{ message: 'RATE_LIMITED happened.', suggestion: 'Wait.' },
    });
    expect(service.received).toHaveLength(1);
  });

  it('counts a deletion as done when the second attempt finds nothing to delete', async () => {
    await using service = await startService((response, _request, count) => {
      if (count === 0) response.destroy();
      else sendError(response, 404, { code: 'SCHEDULE_NOT_FOUND' });
    });
    const { schedules } = new Gleaner({ url: service.url });
    await expect(schedules.delete('sch_1')).resolves.toBeUndefined();
    expect(await errorOf(schedules.delete('sch_1'))).toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });

  it('gives a storm of 429 no more than its retries', async () => {
    await using service = await startService((response) =>
      sendError(response, 429, { code: 'RATE_LIMITED' }, { 'retry-after': '0' }),
    );
    const error = await errorOf(new Gleaner({ url: service.url, maxRetries: 3 }).usage());
    expect(error).toMatchObject({ code: 'RATE_LIMITED', source: 'api', retryAfterMs: 0 });
    expect(service.received).toHaveLength(4);
  });

  it('fails at once when Retry-After is later than its own bound', async () => {
    await using service = await startService((response) =>
      sendError(response, 429, { code: 'RATE_LIMITED' }, { 'retry-after': '3600' }),
    );
    const error = await errorOf(new Gleaner({ url: service.url }).usage());
    expect(error.retryAfterMs).toBe(3_600_000);
    expect(service.received).toHaveLength(1);
  });

  it('ends at its bound when the service is silent', async () => {
    await using service = await startService(() => {});
    const error = await errorOf(new Gleaner({ url: service.url, timeoutMs: 50 }).usage());
    expect(error).toMatchObject({ code: 'CLIENT_TIMEOUT', source: 'client' });
  });

  it('is rejected with the reason of its signal', async () => {
    const controller = new AbortController();
    await using service = await startService(() => controller.abort(new Error('enough')));
    const call = new Gleaner({ url: service.url }).usage({}, { signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
  });

  it.each([
    ['a page of another server', 200, { 'content-type': 'text/html' }, /answered 200 with text\/html/],
    ['a redirect', 301, { location: 'https://b.test/' }, /redirects to https:\/\/b\.test\//],
  ])('names %s for what it is', async (_what, status, headers, message) => {
    await using service = await startService(
      (response) => void response.writeHead(status, headers).end('<p>'),
    );
    const error = await errorOf(new Gleaner({ url: service.url }).usage());
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', source: 'client', status });
    expect(error.message).toMatch(message);
  });

  it('refuses addresses and keys that cannot be any before it sends something', () => {
    for (const url of ['ftp://a.test/', 'http://a.test/?q', 'http://me@a.test/', 'nonsense'])
      expect(() => new Gleaner({ url })).toThrow(GleanerError);
    expect(() => new Gleaner({ url: 'http://a.test/', apiKey: 'gl_\n1' })).toThrow(/apiKey/);
  });
});

describe('a list', () => {
  it('asks for page after page and shows nothing twice that moved to the next one', async () => {
    const ids = ['job_4', 'job_3', 'job_2', 'job_1'];
    await using service = await startService((response, { path }, count) => {
      if (count === 1) ids.unshift('job_5');
      const search = new URL(path, 'http://x').searchParams;
      const [limit, offset] = [Number(search.get('limit')), Number(search.get('offset'))];
      const jobs = ids.slice(offset, offset + limit).map((id) => ({ id }));
      const pagination = { limit, offset, total: ids.length, hasMore: offset + limit < ids.length };
      sendJson(response, 200, { success: true, jobs, pagination });
    });
    const { jobs } = new Gleaner({ url: service.url });
    const seen: string[] = [];
    for await (const { id } of jobs.list({ limit: 2 })) seen.push(id);
    expect(seen).toEqual(['job_4', 'job_3', 'job_2', 'job_1']);
    expect(await jobs.list({ limit: 1, offset: 4 }).page()).toMatchObject({
      items: [{ id: 'job_1' }],
      pagination: { total: 5, hasMore: false },
    });
  });
});
