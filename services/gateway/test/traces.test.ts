import { AppError, type TracedAttempt, toFailure } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { failed, found, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

const ATTEMPT: TracedAttempt = {
  engine: 'http',
  statusCode: 200,
  outcome: 'success',
  durationMs: 41,
  startedAtMs: 1_700_000_000_000,
  stages: { dns: 1.5, connect: 2, tls: 9.1, firstByte: 20, body: 4, parse: 2.2, extract: 1 },
};
const SHOWN_STAGES = { startedAt: '2023-11-14T22:13:20.000Z', stages: ATTEMPT.stages };

describe('traces', () => {
  let bed: TestBed;
  let gateway: TestGateway;
  let worker: ScriptedWorker;
  let owner: TestKey;

  beforeAll(async () => {
    bed = await startTestBed();
    gateway = await bed.startGateway();
    worker = await startScriptedWorker(bed.broker);
    owner = await bed.createKey();
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  const ask = (path: string, options: Parameters<typeof call>[1] = {}) =>
    call(`${gateway.url}/v1/${path}`, { key: owner.key, ...options });

  /** Scrapes a page and returns its answer and its trace. */
  async function scrapeTraced(body: object, headers: Record<string, string> = {}) {
    const answer = await ask('scrape', { body: { url: 'https://example.com/', ...body }, headers });
    const { json } = await ask(`scrapes/${answer.headers['x-request-id']}/trace`);
    return { answer, trace: json.trace };
  }

  it('show the attempts of a scrape with their stages, which its answer leaves out', async () => {
    worker.follow(() => found({ attempts: [ATTEMPT] }));
    const { answer, trace } = await scrapeTraced({});
    expect(answer.json.metadata.attempts).toEqual([
      { engine: 'http', statusCode: 200, outcome: 'success', durationMs: 41 },
    ]);
    expect(trace).toMatchObject({
      requestId: answer.headers['x-request-id'],
      url: 'https://example.com/',
      state: 'success',
      durationMs: expect.any(Number),
      attempts: [{ engine: 'http', durationMs: 41, ...SHOWN_STAGES }],
    });
  });

  it('leave out the images of steps, which the answer and the error have', async () => {
    const stepScreenshots = [{ index: 0, image: '/9j/' }];
    const attempts = [{ ...ATTEMPT, stepScreenshots }];
    const action = { index: 0, step: 'click a', outcome: 'done' as const, durationMs: 5 };
    const browser = await startScriptedWorker(bed.broker, 'scrape.browser');
    browser.follow(() => found({ attempts: attempts.map((each) => ({ ...each, actions: [action] })) }));
    const body = { actions: [{ click: 'a' }], stepScreenshots: true };
    const { answer, trace } = await scrapeTraced(body);
    expect(answer.json.stepScreenshots).toEqual(stepScreenshots);
    expect(trace.attempts).toMatchObject([{ actions: [action] }]);
    browser.follow(() => ({ ...failed('ACTION_FAILED'), attempts }));
    const { answer: refused, trace: ofRefused } = await scrapeTraced(body);
    expect(refused.json.error).toMatchObject({ code: 'ACTION_FAILED', stepScreenshots });
    expect(JSON.stringify([trace, ofRefused, answer.json.metadata])).not.toContain('/9j/');
  });

  it('show the attempts of a scrape that failed, with its error', async () => {
    const attempts = [{ ...ATTEMPT, outcome: 'NOT_FOUND', statusCode: 404 }];
    worker.follow(() => ({ ...failed('NOT_FOUND'), attempts }));
    const { answer, trace } = await scrapeTraced({});
    expect(answer.status).toBe(404);
    expect(answer.json.error.attempts[0]).not.toHaveProperty('stages');
    expect(trace).toMatchObject({ state: 'NOT_FOUND', message: answer.json.error.message });
    expect(trace.attempts).toMatchObject([{ outcome: 'NOT_FOUND', ...SHOWN_STAGES }]);
  });

  it('have a curl command without secrets', async () => {
    worker.follow(() => found({ attempts: [ATTEMPT] }));
    const { trace } = await scrapeTraced({
      url: "https://example.com/it's?page=2",
      headers: { 'X-Api-Key': 'secret-1', Referer: 'https://example.org/' },
      cookies: [{ name: 'session', value: 'secret-2' }],
      timeout: 7000,
    });
    expect(trace.curl).toContain("--header 'referer: https://example.org/'");
    expect(trace.curl).toContain("--header 'x-api-key: [redacted]'");
    expect(trace.curl).toContain("--cookie 'session=[redacted]'");
    expect(trace.curl).toContain('--max-time 7');
    expect(trace.curl).toMatch(/ --url 'https:\/\/example\.com\/it'\\''s\?page=2'$/);
    expect(JSON.stringify(trace)).not.toContain('secret');
  });

  it('are found under the X-Request-Id that the caller chose, by its account alone', async () => {
    worker.follow(() => found({ attempts: [ATTEMPT] }));
    const { trace } = await scrapeTraced({}, { 'x-request-id': 'my-own-id' });
    expect(trace.requestId).toBe('my-own-id');
    const { key } = await bed.createKey();
    const { status, json } = await ask('scrapes/my-own-id/trace', { key });
    expect([status, json.error.code]).toEqual([404, 'TRACE_NOT_FOUND']);
  });

  it('show all rounds at a page of a job', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, ['waiting'], {
      headers: { cookie: 'secret-3' },
    });
    const page = pageIdOf(id, 0);
    const failure = toFailure(new AppError('UPSTREAM_ERROR'));
    await bed.stores.pages.claim([page], new Date());
    const round = JSON.stringify({ round: 1, attempts: [{ ...ATTEMPT, outcome: 'UPSTREAM_ERROR' }] });
    const again = { state: 'waiting', notBefore: new Date(), because: 'failures', failure, round } as const;
    await bed.stores.pages.end([{ id: page, attempt: 1, ...again }], new Date());
    const waiting = (await ask(`jobs/${id}/results/0/trace`)).json.trace;
    expect(waiting).toMatchObject({ state: 'waiting', message: failure.message });

    await bed.stores.pages.claim([page], new Date());
    const trace = JSON.stringify([ATTEMPT]);
    const expiresAt = new Date(Date.now() + 3_600_000);
    await bed.stores.results.insertResults([{ id: page, attempt: 2, json: '{}', trace }], expiresAt);
    await bed.stores.pages.end(
      [{ id: page, attempt: 2, state: 'succeeded', price: { base: 1 } }],
      new Date(),
    );
    const { json } = await ask(`jobs/${id}/results/0/trace`);
    expect(json.trace).toMatchObject({
      jobId: id,
      index: 0,
      state: 'success',
      attempts: [
        { round: 1, outcome: 'UPSTREAM_ERROR', ...SHOWN_STAGES },
        { round: 2, outcome: 'success', ...SHOWN_STAGES },
      ],
      curl: expect.stringContaining("--cookie '[redacted]'"),
    });
  });

  it('do not exist for pages that were not attempted, and jobs of others', async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, ['waiting']);
    for (const index of ['0', '1', 'x']) {
      expect((await ask(`jobs/${id}/results/${index}/trace`)).json.error.code).toBe('TRACE_NOT_FOUND');
    }
    const { key } = await bed.createKey();
    expect((await ask(`jobs/${id}/results/0/trace`, { key })).json.error.code).toBe('JOB_NOT_FOUND');
  });
});
