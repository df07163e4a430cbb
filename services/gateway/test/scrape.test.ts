import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { type CallOptions, call } from './support/call.ts';
import { failed, found, foundFormats, neverReplies } from './support/scripted-worker.ts';
import { useGateway } from './support/use-gateway.ts';

const service = useGateway(
  { RATE_LIMIT_SCRAPE: '100000', EGRESS_ALLOW: '127.0.0.1:4000' },
  { balance: 1000 },
);

function scrape(body: unknown, options: CallOptions = {}) {
  return call(`${service.gateway.url}/v1/scrape`, { key: service.owner.key, body, ...options });
}

async function creditsLeft(): Promise<number> {
  const { json } = await call(`${service.gateway.url}/v1/usage`, { key: service.owner.key });
  return json.usage.remaining;
}

describe('POST /v1/scrape', () => {
  it('answers with the data and its metadata, and charges for it', async () => {
    const before = await creditsLeft();
    service.worker.follow(() => found({ dataJson: '{"title":"Hello","links":["a","b"]}' }));
    const { status, json, headers } = await scrape({
      url: 'https://Example.com',
      selectors: { title: 'h1' },
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      data: { title: 'Hello', links: ['a', 'b'] },
      metadata: {
        url: 'https://Example.com',
        finalUrl: 'https://example.com/',
        statusCode: 200,
        duration: expect.any(Number),
        timestamp: '2026-01-31T12:00:00.000Z',
        credits: 1,
        creditsBreakdown: { base: 1 },
        engine: 'http',
        attempts: [{ engine: 'http', statusCode: 200, outcome: 'success', durationMs: 12 }],
      },
      requestId: headers['x-request-id'],
    });
    expect(await creditsLeft()).toBe(before - 1);
  });

  it.each([
    ['observed', [expect.objectContaining({ code: 'PAGE_SUSPECT' })]],
    ['inferred', undefined],
  ] as const)('says what kind of page it is, with a warning if that was %s', async (basis, warnings) => {
    const signals = [{ code: 'LOGIN_REDIRECT' as const, evidence: 'shop.example/login' }];
    const verdict = { page: 'login' as const, basis, signals };
    service.worker.follow(() => found({ verdict }));
    const { json } = await scrape({ url: 'https://example.com' });
    expect([json.metadata.verdict, json.warnings]).toEqual([verdict, warnings]);
  });

  it('gives the worker the normalized request, its account and one deadline', async () => {
    const startedAtMs = Date.now();
    const body = {
      url: 'HTTPS://Example.COM:443/a b?q=ü',
      headers: { 'Accept-Language': 'de' },
      timeout: 60_000,
    };
    await scrape(body, { headers: { 'X-Request-Id': 'mine-1' } });
    const [command] = service.worker.commands;
    expect(command).toMatchObject({
      requestId: expect.stringMatching(/^req_/),
      accountId: service.owner.accountId,
      request: { ...body, url: 'https://example.com/a%20b?q=%C3%BC' },
    });
    expect(command?.deadlineMs).toBeGreaterThanOrEqual(startedAtMs + 60_000);
    expect(command?.deadlineMs).toBeLessThan(Date.now() + 60_000);
  });

  it('passes on warnings and the screenshot', async () => {
    const warnings = [{ field: 'x', code: 'SELECTOR_NO_MATCH' as const, message: 'Nothing matched.' }];
    service.worker.follow(() => found({ warnings, screenshot: 'aGVsbG8=' }));
    const { json } = await scrape({ url: 'https://example.com/', selectors: { x: 'h9' } });
    expect(json).toMatchObject({ warnings, screenshot: 'aGVsbG8=' });
  });

  it('returns formats beside the data, and no data when only formats were found', async () => {
    const formatsJson = '{"text":"One","links":[{"url":"https://example.com/","text":null,"rel":null}]}';
    const body = { url: 'https://example.com/', formats: ['text', 'links'], locale: 'de-AT' };
    service.worker.follow(() => found({ formatsJson }));
    const both = await scrape({ ...body, selectors: { title: 'h1' } });
    expect(both.json).toMatchObject({ data: { title: 'A page' }, formats: JSON.parse(formatsJson) });
    expect(service.worker.commands[0]?.request).toMatchObject(body);
    service.worker.follow(() => foundFormats(formatsJson));
    const { status, json } = await scrape(body);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['success', 'formats', 'metadata', 'requestId']);
    expect(json.formats).toEqual(JSON.parse(formatsJson));
  });

  it.each([
    [{ formats: ['tabels'] }, 'formats.0', 'did you mean "tables"?'],
    [{ formats: ['text', 'text'] }, 'formats.1', 'is "text" again'],
    [{ formats: ['text', { type: 'text', main: true }] }, 'formats.1', 'is "text" again'],
    [{ formats: [{ type: 'text', mian: true }] }, 'formats.0.mian', 'did you mean "main"?'],
    [
      { formats: [{ type: 'article', main: true }] },
      'formats.0.type',
      'any other format is written as its name',
    ],
    [
      { formats: [{ type: 'text', include: '' }] },
      'formats.0.include',
      'must be a CSS selector list such as',
    ],
    [
      { formats: [{ type: 'text', exclude: 'p'.repeat(5000) }] },
      'formats.0.exclude',
      'at most 4096 characters',
    ],
    [
      { formats: [{ type: 'links', hidden: 'drop' }] },
      'formats.0.hidden',
      'holds for markdown, article, text alone',
    ],
    [{ formats: [{ type: 'text', hidden: 'hide' }] }, 'formats.0.hidden', 'must be one of: keep, drop, mark'],
    [{ formats: [{ main: true }] }, 'formats.0.type', 'is required'],
    [{ formats: [7] }, 'formats.0', 'must be the name of a format such as "markdown", or {"type"'],
    [{ formats: [] }, 'formats', 'must have at least 1 entry'],
    [{ formats: 'text' }, 'formats', 'must be an array'],
    [{ locale: 'german!' }, 'locale', 'must be a language tag such as "de" or "en-US"'],
    [{ locale: 'de-de-de-de' }, 'locale', 'must be a language tag such as "de" or "en-US"'],
    [{ overlays: 'close' }, 'overlays', 'must be one of: keep, hide, accept, reject'],
    [{ onSuspect: 'drop' }, 'onSuspect', 'must be one of: keep, fail'],
    [{ actions: [{ clik: 'a' }] }, 'actions.0.clik', 'did you mean "click"?'],
    [
      { actions: [{ repeat: Array(26).fill({ press: 'a' }) }, { repeat: Array(26).fill({ press: 'b' }) }] },
      'actions',
      'must have at most 50 steps, those in repeat counted; it has 54',
    ],
    [{ actions: Array(40).fill({ click: 'a'.repeat(4000) }) }, 'actions', 'must have at most 65536 bytes'],
    [{ actions: [{ scroll: '.a', in: '.b' }] }, 'actions.0.in', 'is for "scroll": "end" only'],
    [{ actions: [{ click: '.a', frame: {} }] }, 'actions.0.frame', 'must be a CSS selector such as "iframe'],
    [
      { actions: [{ click: '.a', frame: Array(6).fill('a') }] },
      'actions.0.frame',
      'must have at most 5 entries',
    ],
  ])('rejects %j', async (options, path, message) => {
    const { json } = await scrape({ url: 'https://example.com/', ...options });
    expect(json.error.code).toBe('INVALID_REQUEST');
    expect(json.error.details).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it('lists the selectors of fields and formats that are not valid', async () => {
    const formats = ['links', { type: 'text', main: true, include: 'main >', exclude: '.ads::text' }];
    const { json } = await scrape({ url: 'https://example.com/', selectors: { a: '..' }, formats });
    expect(json.error.code).toBe('INVALID_SELECTOR');
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      ...['selectors.a', 'formats.1.include', 'formats.1.exclude'],
    ]);
    expect(service.worker.commands).toEqual([]);
  });

  it('lists the selectors of steps that are not valid', async () => {
    const loop = { repeat: [{ click: 'a' }, { scroll: '..', optional: true }] };
    const framed = [
      { scroll: 'end', frame: 'iframe >' },
      { click: 'a', frame: ['iframe', '..'] },
    ];
    const actions = [{ click: 'a >' }, { press: '>' }, { fill: '#q::text', value: '..' }, loop, ...framed];
    const { json } = await scrape({ url: 'https://example.com/', actions });
    expect(json.error.code).toBe('INVALID_SELECTOR');
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      ...['actions.0.click', 'actions.2.fill', 'actions.3.repeat.1.scroll', 'actions.4.frame'],
      'actions.5.frame.1',
    ]);
    expect(service.worker.commands).toEqual([]);
  });

  it('returns the results of steps, and their trace', async () => {
    const actions = [{ index: 0, outcome: 'done' as const, durationMs: 12 }];
    const attempt = { engine: 'browser' as const, outcome: 'success', durationMs: 20 };
    service.worker.follow(() =>
      found({
        actions,
        attempts: [
          {
            ...attempt,
            actions: [{ ...actions[0], step: 'click a', index: 0, outcome: 'done', durationMs: 12 }],
          },
        ],
      }),
    );
    const { json } = await scrape({ url: 'https://example.com/' });
    expect(json.metadata).toMatchObject({ actions, attempts: [attempt] });
    expect(json.metadata.attempts[0].actions).toBeUndefined();
    const trace = await call(`${service.gateway.url}/v1/scrapes/${json.requestId}/trace`, {
      key: service.owner.key,
    });
    expect(trace.json.trace.attempts[0].actions).toEqual([{ ...actions[0], step: 'click a' }]);
  });

  it('charges what ran, not what was requested', async () => {
    const before = await creditsLeft();
    service.worker.follow(() => found({ price: { base: 1 } }));
    const { json } = await scrape({ url: 'https://example.com/', antiBot: true });
    expect(json.metadata.credits).toBe(1);
    expect(await creditsLeft()).toBe(before - 1);
  });

  it('returns fields under any name', async () => {
    service.worker.follow(({ body }) => found({ dataJson: JSON.stringify(body.request.selectors) }));
    const selectors = { constructor: 'h1', toString: 'h2', 'ключ\u2028': 'h3' };
    const { status, json } = await scrape({ url: 'https://example.com/', selectors });
    expect(status).toBe(200);
    expect(json.data).toEqual(selectors);
  });

  it('rejects an empty map of selectors, which would charge for no data', async () => {
    const { status, json } = await scrape({ url: 'https://example.com/', selectors: {} });
    expect([status, json.error.code]).toEqual([400, 'INVALID_SELECTOR']);
    expect(json.error.message).toContain('leave out selectors');
    expect(service.worker.commands).toEqual([]);
  });

  it('reaches only the private addresses that the operator allowed', async () => {
    expect((await scrape({ url: 'http://127.0.0.1:4000/' })).status).toBe(200);
    expect((await scrape({ url: 'http://127.0.0.1:4001/' })).json.error.code).toBe('INVALID_URL');
  });
});

describe('a scrape that fails', () => {
  it.each([
    'BLOCKED',
    'NOT_FOUND',
    'TIMEOUT',
    'UNSUPPORTED_CONTENT',
    'UPSTREAM_ERROR',
    'PROXY_ERROR',
  ] as const)('answers %s with the error of the worker, and costs nothing', async (code) => {
    const before = await creditsLeft();
    service.worker.follow(() => failed(code, { message: 'Met on the way.', targetStatusCode: 418 }));
    const { json } = await scrape({ url: 'https://example.com/' });
    expect(json.error).toMatchObject({
      code,
      source: 'target',
      message: 'Met on the way.',
      targetStatusCode: 418,
      attempts: [{ engine: 'http', outcome: code, durationMs: 12 }],
    });
    expect(await creditsLeft()).toBe(before);
  });

  it('marks a 429 of the target as its own, and passes on its Retry-After', async () => {
    service.worker.follow(() => failed('RATE_LIMITED', { source: 'target', retryAfterSeconds: 17 }));
    const { json, headers } = await scrape({ url: 'https://example.com/' });
    expect(json.error).toMatchObject({ code: 'RATE_LIMITED', source: 'target' });
    expect(headers['retry-after']).toBe('17');
  });

  it('hides an internal error of the worker', async () => {
    service.worker.follow(() => {
      throw new Error('ENOENT /etc/secret-path');
    });
    const { json, text } = await scrape({ url: 'https://example.com/' });
    expect(json.error.code).toBe('INTERNAL_ERROR');
    expect(text).not.toContain('secret-path');
  });

  it('times out at its deadline when no worker replies', async () => {
    const before = await creditsLeft();
    service.worker.follow(neverReplies);
    const { json } = await scrape({ url: 'https://example.com/', timeout: 1000 });
    expect(json.error.code).toBe('TIMEOUT');
    expect(await creditsLeft()).toBe(before);
  });

  it('is rejected at once when no worker runs its engine', async () => {
    const before = await creditsLeft();
    const { json } = await scrape({ url: 'https://example.com/', render: true });
    expect(json.error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'No browser worker is running.',
    });
    expect(await creditsLeft()).toBe(before);
  });
});

describe('a client that disconnects', () => {
  it('cancels its scrape, is not charged and frees its slot', async () => {
    const before = await creditsLeft();
    service.worker.follow(neverReplies);
    const leaving = new AbortController();
    const gone = scrape({ url: 'https://example.com/' }, { signal: leaving.signal }).catch((error) => error);
    await eventually(() => expect(service.worker.commands).toHaveLength(1));
    leaving.abort();
    expect(await gone).toMatchObject({ name: 'AbortError' });
    await eventually(() =>
      expect(service.worker.cancellations).toEqual([service.worker.commands[0]?.requestId]),
    );
    await eventually(async () => expect(await creditsLeft()).toBe(before));
    const usage = await call(`${service.gateway.url}/v1/usage`, { key: service.owner.key });
    expect(usage.json.usage.reserved).toBe(0);
    await eventually(() =>
      expect(service.bed.logLines.some((line) => line.includes('"isAborted":true'))).toBe(true),
    );
  });
});
