import { describe, expect, it } from '@jest/globals';
import { runGleaner, runOnTerminal } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const ESTIMATE = {
  of: 'job',
  credits: { worst: 1500, expected: 100, basis: 'urls' },
  pages: { atLeast: 100, atMost: 100 },
  problems: [],
};
const PROBLEM = { code: 'INSUFFICIENT_CREDITS', message: 'Too few credits.', suggestion: 'Add credits.' };

const startEstimates = (estimate: object = ESTIMATE) =>
  startService((response) => sendJson(response, 200, { estimate }));

describe('--dry-run', () => {
  it.each<[string[], object]>([
    [
      ['scrape', 'a.test', '--anti-bot', '--max-credits', '12'],
      { url: 'https://a.test', antiBot: true, maxCredits: 12 },
    ],
    [
      ['job', 'create', 'a.test', 'b.test', '-w', '--max-credits', '9'],
      { urls: ['https://a.test', 'https://b.test'], maxCredits: 9 },
    ],
    [['crawl', 'a.test', '--limit', '5', '-o', 'pages/'], { urls: ['https://a.test'], crawl: { limit: 5 } }],
    [['schedule', 'create', 'a.test', '--cron', '0 9 * * *'], { url: 'https://a.test', cron: '0 9 * * *' }],
  ])('asks only for the estimate of %j', async (words, body) => {
    await using service = await startEstimates();
    const { code, stdout } = await runGleaner([...words, '--dry-run'], { env: service.env });
    expect([code, JSON.parse(stdout)]).toEqual([0, ESTIMATE]);
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/estimate']);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual(body);
  });

  it('shows the estimate as a table on a terminal', async () => {
    await using service = await startEstimates();
    const { stdout } = await runOnTerminal(['job', 'create', 'a.test', '--dry-run'], { env: service.env });
    expect(stdout.split('\n')).toEqual([
      'estimate of       job',
      'pages             100',
      'credits at most   1,500, by the options and the URLs',
      'credits expected  100',
      '',
    ]);
  });

  it('looks at pages, and says what they are', async () => {
    const sources = [
      { kind: 'robots', url: 'https://a.test/robots.txt', found: 1 },
      { kind: 'page', url: 'https://a.test/', found: 9, redirectsTo: 'https://a.test/login' },
      { kind: 'page', url: 'https://a.test/login', found: 2, verdict: 'login' },
      { kind: 'page', url: 'https://b.test/', found: 0, error: { code: 'BLOCKED', message: 'No.' } },
    ];
    const look = { sources, urls: 1200, complete: true };
    await using service = await startEstimates({ ...ESTIMATE, of: 'crawl', look });
    const words = ['crawl', 'a.test', '--dry-run', '--look'];
    const { code, stdout } = await runOnTerminal(words, { env: service.env });
    expect(code).toBe(0);
    expect(service.received.map(({ path }) => path)).toEqual(['/v1/estimate?look=true']);
    expect(stdout).toContain('URLs found        1,200\n');
    expect(stdout).toContain(
      [
        'https://a.test/robots.txt: robots, 1 found',
        'https://a.test/: redirects to https://a.test/login',
        'https://a.test/login: login',
        'https://b.test/: BLOCKED, No.',
      ].join('\n'),
    );
  });

  it('looks only without doing anything', async () => {
    const { code, stderr } = await runGleaner(['scrape', 'a.test', '--look']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--look needs --dry-run.')]);
  });

  it('fails where the request would fail', async () => {
    await using service = await startEstimates({ ...ESTIMATE, problems: [PROBLEM] });
    const { code, stdout } = await runOnTerminal(['scrape', 'a.test', '--dry-run'], { env: service.env });
    expect(code).toBe(1);
    expect(stdout).toContain('INSUFFICIENT_CREDITS: Too few credits.\nAdd credits.\n');
  });
});
