import { describe, expect, it } from '@jest/globals';
import { readVersion } from '../src/version.ts';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const VERSION = readVersion();
const KEY = { name: 'k', scopes: ['scrape', 'admin'], expiresAt: null };
const SERVICES = [
  { name: 'scraper', purpose: 'pages over HTTP', processes: 2 },
  { name: 'scheduler', purpose: 'schedules', processes: 1 },
];
const QUEUES = [
  { name: 'pages.http', messages: 40, consumers: 2 },
  { name: 'dead-letters', messages: 0, consumers: 0 },
];
const HEALTHY: System = { version: VERSION, services: SERVICES, queues: QUEUES };

interface System {
  readonly version: string;
  readonly services: readonly object[];
  readonly queues: readonly object[];
  /** Missing from services that are older. */
  readonly instances?: readonly object[];
  readonly pausedHosts?: readonly object[];
}

/** Starts a healthy service with this report of its processes and queues. */
const startWith = (system: System | undefined) =>
  startService((response, { path }) => {
    const failed = (status: number, code: string) =>
      sendJson(response, status, {
        error: { code, source: 'api', message: 'It did not work.', suggestion: 'Do.', requestId: 'r' },
      });
    if (path === '/v1/keys/current') return sendJson(response, 200, { key: KEY });
    if (path.startsWith('/v1/usage')) return sendJson(response, 200, { usage: { remaining: null } });
    if (path === '/v1/scrape') return failed(400, 'INVALID_URL');
    if (path !== '/v1/system') return sendJson(response, 200, { status: 'ok' });
    return system ? sendJson(response, 200, { system }) : failed(403, 'FORBIDDEN');
  });

interface Check {
  readonly id: string;
  readonly state: string;
  readonly found: string;
  readonly remedy?: string;
}

async function examine(system: System | undefined): Promise<{ code: number | null; checks: Check[] }> {
  await using service = await startWith(system);
  const { code, stdout } = await runGleaner(['doctor', '--json'], { env: service.env });
  const checks = (JSON.parse(stdout) as Check[]).filter(({ id }) =>
    ['version', 'instances', 'chromium', 'services', 'queues', 'hosts', 'system'].includes(id),
  );
  return { code, checks };
}

describe('doctor', () => {
  it('finds nothing where every process runs', async () => {
    const { code, checks } = await examine(HEALTHY);
    expect(code).toBe(0);
    expect(checks).toEqual([
      { id: 'version', state: 'ok', found: `The service and this command are both version ${VERSION}.` },
      {
        id: 'services',
        state: 'ok',
        found: 'Every service runs: 2 scraper for pages over HTTP, 1 scheduler for schedules.',
      },
      { id: 'queues', state: 'ok', found: 'The queues hold 40 messages.' },
    ]);
  });

  it('says what to do about processes that are missing, and messages that wait', async () => {
    const { code, checks } = await examine({
      version: '9.0.0',
      services: [{ name: 'scraper', purpose: 'pages in a browser', processes: 0 }],
      queues: [
        { name: 'pages.browser', messages: 7, consumers: 0 },
        { name: 'pages.results', messages: 5000, consumers: 1 },
        { name: 'dead-letters', messages: 1, consumers: 0 },
      ],
    });
    expect(code).toBe(1);
    expect(checks.map(({ state, found, remedy }) => `${state}: ${found} ${remedy}`)).toEqual([
      expect.stringContaining(
        `warning: The service is version 9.0.0, this command is version ${VERSION}. Update`,
      ),
      expect.stringMatching(/^failed: No scraper takes pages in a browser. .*docker compose up -d scraper$/),
      expect.stringMatching(/^failed: No process takes messages from pages.browser \(7 messages there\)/),
      expect.stringMatching(/^warning: 5,000 messages wait in pages.results. Start another job-orchestrator/),
      expect.stringMatching(/^warning: 1 message could not be handled. .*docs\/operations.md/),
    ]);
  });

  it('names processes of another version, and hosts that are paused', async () => {
    const process = {
      id: 'i',
      service: 'scraper',
      startedAt: '2026-01-01T00:00:00Z',
      seenAt: '2026-01-01T00:00:00Z',
    };
    const { code, checks } = await examine({
      ...HEALTHY,
      instances: [
        { ...process, name: 'a-1', version: VERSION },
        { ...process, name: 'b-2', version: '0.0.9' },
      ],
      pausedHosts: [{ host: 'slow.example', until: '2026-01-01T00:05:00.000Z' }],
    });
    expect(code).toBe(0);
    expect(checks.filter(({ state }) => state === 'warning').map(({ id, found }) => [id, found])).toEqual([
      ['instances', '1 process runs another version than the gateway: scraper b-2 (0.0.9).'],
      ['hosts', 'Pages wait for 1 host that asked for a pause: slow.example until 2026-01-01T00:05:00.000Z.'],
    ]);
  });

  it('tells the version and the age of each browser, and what to do about an old one', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 1000).toISOString();
    const released = { old: daysAgo(78), recent: daysAgo(1) };
    const scraper = (version: string, releasedAt: string) => ({
      id: version,
      service: 'scraper',
      name: version,
      version: VERSION,
      startedAt: daysAgo(1),
      seenAt: daysAgo(0),
      chromium: { version, releasedAt },
    });
    const recent = scraper('156.0.8078.108', released.recent);
    const instances = [scraper('153.0.0', released.old), recent, recent];
    const { code, checks } = await examine({ ...HEALTHY, instances });
    expect(code).toBe(0);
    expect(checks.filter(({ id }) => id === 'chromium')).toEqual([
      {
        id: 'chromium',
        state: 'warning',
        found: `Pages are rendered by Chromium 153.0.0 of ${released.old.slice(0, 10)}, 78 days old.`,
        remedy: expect.stringContaining('apt-get install chromium'),
      },
      {
        id: 'chromium',
        state: 'ok',
        found: expect.stringMatching(/Chromium 156.0.8078.108 .*, 1 day old\.$/),
      },
    ]);
  });

  it('says that a key without the scope does not see them', async () => {
    const { code, checks } = await examine(undefined);
    expect(code).toBe(0);
    expect(checks).toMatchObject([{ state: 'warning', remedy: 'Use a key with the scope admin.' }]);
  });
});
