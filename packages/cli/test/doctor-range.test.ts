import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const CASES = [
  { path: '/a', options: { selectors: { h: 'h1' } }, expect: { verdict: 'content', data: { h: 'A' } } },
  { path: '/b', expect: { verdict: 'login', basis: 'observed', signal: 'PASSWORD_FORM' } },
  { path: '/c', expect: { error: 'BLOCKED' } },
];

type Reply = readonly [status: number, body: object];

const failure = (code: string, source = 'target', message = 'No.'): Reply => [
  422,
  { error: { code, source, message, suggestion: 'Do.', requestId: 'r' } },
];
const result = (verdict: object, data: object = {}): Reply => [
  200,
  { success: true, data, metadata: { verdict }, warnings: [] },
];
const LOGIN = { page: 'login', basis: 'observed', signals: [{ code: 'PASSWORD_FORM', evidence: 'x' }] };
const RIGHT: Readonly<Record<string, Reply>> = {
  '/a': result({ page: 'content', basis: 'inferred', signals: [] }, { h: 'A' }),
  '/b': result(LOGIN),
  '/c': failure('BLOCKED'),
};

/** Examines a service that is at the address of the range, too, and answers scrapes of its paths so. */
async function examine(answers: Readonly<Record<string, Reply>>, expectations: unknown = { cases: CASES }) {
  await using service = await startService((response, { path, body }) => {
    if (path === '/expect.json') return sendJson(response, 200, expectations as object);
    const { pathname } = new URL((JSON.parse(body) as { url: string }).url);
    const [status, json] = answers[pathname] ?? failure('INTERNAL_ERROR', 'api');
    return sendJson(response, status, json);
  });
  const { code, stdout, stderr } = await runGleaner(['doctor', '--range', service.url, '--json'], {
    env: service.env,
  });
  return { code, stderr, rows: stdout, received: service.received };
}

const rightOf = (rows: string) =>
  (JSON.parse(rows) as { path: string; right: boolean; got: string }[]).map(({ path, right, got }) => [
    path,
    right,
    got,
  ]);

describe('doctor --range', () => {
  it('compares every answer with the right one, in the order of the range', async () => {
    const { code, rows, received } = await examine(RIGHT);
    expect(code).toBe(0);
    expect(rightOf(rows)).toEqual([
      ['/a', true, 'content {"h":"A"}'],
      ['/b', true, 'login observed PASSWORD_FORM'],
      ['/c', true, 'BLOCKED'],
    ]);
    expect(received.filter(({ path }) => path === '/v1/scrape')).toHaveLength(3);
  });

  it('ends with 1 if data, a verdict or an error is wrong', async () => {
    const { code, rows } = await examine({
      '/a': result({ page: 'content', basis: 'inferred', signals: [] }, { h: 'B' }),
      '/b': result({ ...LOGIN, basis: 'inferred' }),
      '/c': failure('BLOCKED', 'api'),
    });
    expect(code).toBe(1);
    expect(rightOf(rows)).toEqual([
      ['/a', false, 'content {"h":"B"}'],
      ['/b', false, 'login inferred PASSWORD_FORM'],
      ['/c', false, 'BLOCKED (api)'],
    ]);
  });

  it('says how to allow a range that the service refuses to open', async () => {
    const { code, stderr } = await examine({
      '/a': failure('INVALID_URL', 'api', 'It is a loopback address.'),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('It is a loopback address.');
    expect(stderr).toMatch(/RANGE_PORT=\d+ npm start, or add 127\.0\.0\.1:\d+ to EGRESS_ALLOW/);
  });

  it.each([
    [
      'a page of another server',
      { cases: [{ path: '//other.example/', expect: { error: 'X' } }] },
      'cases.0',
    ],
    ['no expectation', { cases: [CASES[0], { path: '/b', expect: {} }] }, 'cases.1'],
    ['no list', { cases: {} }, 'is not a list of 1 to 1000 pages'],
  ])('rejects a range with %s', async (_what, expectations, message) => {
    const { code, stderr, received } = await examine(RIGHT, expectations);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(received.map(({ path }) => path)).toEqual(['/expect.json']);
  });
});
