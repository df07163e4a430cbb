import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { type ScriptedOrchestrator, startScriptedOrchestrator } from './support/scripted-orchestrator.ts';
import { failed, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let orchestrator: ScriptedOrchestrator;
let key: string;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_SCRAPE: '1000', RATE_LIMIT_CREATE: '1000' });
  worker = await startScriptedWorker(bed.broker);
  orchestrator = await startScriptedOrchestrator(bed.broker);
  ({ key } = await bed.createKey());
});
beforeEach(() => {
  worker.reset();
  orchestrator.reset();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const url = 'https://example.com/search';

function post(path: string, body: object, by = { key, gateway }) {
  return call(by.gateway.url + path, { key: by.key, body });
}

/** Posts a body that is rejected; returns the paths of the errors and their messages. */
async function errorsOf(path: string, body: object, by?: { key: string; gateway: TestGateway }) {
  const { status, json } = await post(path, body, by);
  expect({ status, json }).toMatchObject({ status: 400, json: { error: { code: 'INVALID_REQUEST' } } });
  return json.error.details.map((each: { path: string; message: string }) => `${each.path} ${each.message}`);
}

describe('a scrape with a method and a body', () => {
  it.each([
    { method: 'POST', json: { q: ['kettle'] } },
    { form: { q: 'kettle', page: 1, tags: ['a', 'b'] } },
    { method: 'PATCH', body: '' },
    { method: 'DELETE', repeatable: true, antiBot: true },
    { method: 'HEAD', antiBot: true },
    { method: 'GET', render: true },
  ])('passes %j on', async (request) => {
    const queue = 'render' in request ? await startScriptedWorker(bed.broker, 'scrape.browser') : worker;
    const { status } = await post('/v1/scrape', { url, ...request });
    expect([status, queue.commands[0]?.request]).toEqual([200, { url, ...request }]);
    if (queue !== worker) await queue.stop();
  });

  it.each<[object, string]>([
    [{ method: 'post' }, 'method must be one of: GET, HEAD, POST, PUT, PATCH, DELETE'],
    [{ method: 'GET', json: {} }, 'json cannot be sent with GET: use POST, PUT, PATCH or DELETE'],
    [{ method: 'HEAD', body: 'x' }, 'body cannot be sent with HEAD'],
    [{ json: 1, form: {} }, 'form must be left out when json is given'],
    [{ body: 'x', json: 1 }, 'json must be left out when body is given'],
    [{ form: { a: null } }, 'form.a must be a text, a number, true, false, or a list of these'],
    [{ form: { a: [{}] } }, 'form.a.0 must be a text, a number, true or false'],
    [{ body: 'é'.repeat(32_769) }, 'body has 65538 bytes; at most 65536 can be sent'],
    [{ json: {}, render: true }, 'render needs a browser, and cannot be combined with the method POST'],
    [{ json: {}, render: 'auto' }, 'render needs a browser'],
    [{ json: {}, waitFor: 10 }, 'waitFor needs a browser'],
    [{ method: 'PUT', screenshot: true }, 'screenshot needs a browser'],
    [{ method: 'HEAD', frames: true }, 'frames needs a browser'],
    [{ json: {}, overlays: 'accept' }, 'overlays needs a browser'],
    [
      { json: {}, antiBot: true },
      'antiBot sends a request again that the site refused: set "repeatable": true',
    ],
    [{ json: {}, headers: { 'Content-Length': '1' } }, 'headers.Content-Length'],
  ])('rejects %j', async (request, message) => {
    expect(await errorsOf('/v1/scrape', { url, ...request })).toEqual([expect.stringContaining(message)]);
    expect(worker.commands).toEqual([]);
  });

  it('is limited to the methods that the operator allows', async () => {
    const strict = { gateway: await bed.startGateway({ ALLOW_METHODS: 'GET,POST' }), key };
    const message = 'method must be one of: GET, POST, because the operator of this service allows no PUT';
    expect(await errorsOf('/v1/scrape', { url, method: 'PUT' }, strict)).toEqual([message]);
    expect(await errorsOf('/v1/jobs', { requests: [{ url, method: 'PUT' }] }, strict)).toEqual([
      `requests.0.${message}`,
    ]);
  });

  it('costs no browser with antiBot', async () => {
    const options = { json: {}, antiBot: true, repeatable: true };
    const { json } = await post('/v1/estimate', { url, ...options });
    expect(json.estimate).toMatchObject({ of: 'scrape', credits: { worst: 11, expected: 1 } });
  });

  it('is told by its trace, without its secrets', async () => {
    const sent = { json: { user: 'a', password: 'hush', author: 'b' }, method: 'PUT' };
    const { headers } = await post('/v1/scrape', { url, ...sent });
    const { json } = await call(`${gateway.url}/v1/scrapes/${headers['x-request-id']}/trace`, { key });
    expect(json.trace.curl).toContain('--request PUT');
    expect(json.trace.curl).toContain(`--data-raw '{"user":"a","password":"[redacted]","author":"b"}'`);
    expect(JSON.stringify(json)).not.toContain('hush');
  });
});

describe('a scrape that must not be sent twice', () => {
  it('is not sent to a worker by a call that the rate limit refuses', async () => {
    const limited = await bed.startGateway({ RATE_LIMIT_SCRAPE: '2' });
    const by = { gateway: limited, key: (await bed.createKey()).key };
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await post('/v1/scrape', { url, json: {} }, by));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(worker.commands).toHaveLength(2);
  });

  it('says that its outcome is unknown when its worker does not reply', async () => {
    worker.follow(() => new Promise<never>(() => {}));
    const unanswered = await post('/v1/scrape', { url, json: {}, timeout: 5000 });
    expect(unanswered).toMatchObject({
      status: 502,
      json: { error: { code: 'OUTCOME_UNKNOWN', source: 'target' } },
    });
    // A worker that answers knows what became of the request.
    worker.follow(() => failed('TIMEOUT'));
    expect(await post('/v1/scrape', { url, json: {} })).toMatchObject({ status: 408 });
    worker.follow(() => failed('OUTCOME_UNKNOWN'));
    const { status, json } = await post('/v1/scrape', { url, json: {} });
    expect({ status, error: json.error }).toMatchObject({
      status: 502,
      error: { code: 'OUTCOME_UNKNOWN', source: 'target' },
    });
  });
});

describe('a job with requests', () => {
  const requests = [{ url, json: { q: 1 } }, { url: `${url}?x` }, { url, method: 'DELETE' }];

  it('is created, with its URLs apart from their methods and bodies', async () => {
    const { status } = await post('/v1/jobs', { requests, repeatable: true });
    expect(status).toBe(202);
    expect(orchestrator.commands).toMatchObject([
      {
        request: {
          urls: [url, `${url}?x`, url],
          requests: [{ json: { q: 1 } }, {}, { method: 'DELETE' }],
          repeatable: true,
        },
      },
    ]);
  });

  it.each<[object, string[]]>([
    [{}, ['urls is required, or requests in its place']],
    [{ urls: [url], requests }, ['requests must be left out when urls is given']],
    [{ requests: [] }, ['requests must have at least 1 entry']],
    [{ requests: [{ json: 1 }] }, ['requests.0.url is required']],
    [{ requests, json: 1, method: 'PUT' }, ['method must be given in each', 'json must be given in each']],
    [{ requests: [{ url }, { url, method: 'GET', form: {} }] }, ['requests.1.form cannot be sent with GET']],
    [{ requests, render: true }, ['render needs a browser, and cannot be combined with the method POST']],
    [{ requests, antiBot: true }, ['antiBot sends a request again']],
    [{ requests, crawl: {} }, ['requests cannot be combined with crawl, which follows links with GET']],
    [{ urls: [url], json: {}, crawl: {} }, ['json cannot be combined with crawl']],
  ])('rejects %j', async (body, messages) => {
    const expected = messages.map((message) => expect.stringContaining(message));
    expect(await errorsOf('/v1/jobs', body)).toEqual(expected);
    if (!('crawl' in body)) expect(await errorsOf('/v1/estimate', body)).toEqual(expect.arrayContaining([]));
  });

  it('names a bad URL by its place', async () => {
    const { json } = await post('/v1/jobs', { requests: [{ url }, { url: 'http://10.0.0.1/', json: 1 }] });
    expect(json.error).toMatchObject({ code: 'INVALID_URL', details: [{ path: 'requests.1.url' }] });
  });

  it('is counted by its different requests in an estimate', async () => {
    const { json } = await post('/v1/estimate', {
      requests: [...requests, { url, method: 'POST', json: { q: 1 } }],
    });
    expect(json.estimate).toMatchObject({ of: 'job', credits: { worst: 3 }, pages: { atMost: 3 } });
  });
});

describe('captures', () => {
  const rule = { url: '**/api/*' };

  it.each<[object, string]>([
    [{ capture: {} }, 'capture must have at least 1 field'],
    [{ capture: { a: {} } }, 'capture.a.url is required'],
    [{ capture: { a: { ...rule, waits: 1 } } }, 'capture.a.waits is not a known field; did you mean "wait"?'],
    [{ capture: { 'a b': rule } }, 'capture.a b must have a name'],
    [{ capture: { a: { url: 'api' } } }, 'capture.a.url "api" matches no URL'],
    [{ capture: { a: { ...rule, wait: 30 } } }, 'capture.a.wait must be at most limit, which is 20'],
    [{ capture: { a: rule }, json: {} }, 'capture needs a browser'],
    [
      { capture: { a: rule }, selectors: { x: { from: 'b', json: '$' } } },
      'selectors.x reads "b", which is not a name in capture; there are: a',
    ],
    [
      { selectors: { x: { from: 'b', json: '$' } } },
      'selectors.x reads "b", which is not a name in capture; there is none',
    ],
  ])('reject %j', async (request, message) => {
    expect(await errorsOf('/v1/scrape', { url, ...request })).toEqual([expect.stringContaining(message)]);
  });

  it('are read by fields at the top, without a selector', async () => {
    const capture = { a: rule };
    for (const x of [{ from: 'a' }, { from: 'a', json: '$', selector: 'h1' }]) {
      const { status, json } = await post('/v1/scrape', { url, capture, selectors: { x } });
      expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'INVALID_SELECTOR' });
    }
  });

  it('need a browser', async () => {
    const { status, json } = await post('/v1/scrape', { url, capture: { a: rule } });
    expect({ status, message: json.error.message }).toEqual({
      status: 503,
      message: 'No browser worker is running.',
    });
    const estimate = await post('/v1/estimate', { url, capture: { a: rule } });
    expect(estimate.json.estimate.credits).toMatchObject({ worst: 5, expected: 5 });
  });
});
