import { describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const PATCH = '--- https://a.test/\tjob_1\n+++ https://a.test/\tjob_2\n@@ -1,1 +1,1 @@\n-30\n+18\n';
const DIFF = {
  from: { jobId: 'job_1', at: null },
  to: { jobId: 'job_2', at: null },
  pages: [
    { url: 'https://a.test/', added: 1, removed: 1, text: PATCH, isCut: true },
    { url: 'https://a.test/2', added: 0, removed: 0, text: null },
  ],
  unchanged: 3,
  notCompared: 1,
  omitted: 2,
};

describe('gleaner schedule diff', () => {
  const run = async (...flags: string[]) => {
    await using service = await startService((response) => sendJson(response, 200, { diff: DIFF }));
    const { env } = service;
    return {
      ...(await runGleaner(['schedule', 'diff', 'sch_1', ...flags], { env })),
      received: service.received,
    };
  };

  it('prints a patch, and says what it leaves out', async () => {
    const flags = ['--from', 'job_1', '--page', 'https://a.test/?a=1', '--format', 'table'];
    const { code, stdout, stderr, received } = await run(...flags);
    expect([code, stdout]).toEqual([0, `${PATCH}Files https://a.test/2 and https://a.test/2 differ\n`]);
    expect(stderr).toBe(
      'job_1 → job_2: 2 of 5 pages differ; 1 are cut; 1 have no Markdown in one of the runs; 2 further ones were not compared: name one by --page.\n',
    );
    expect(received.map(({ path }) => path)).toEqual([
      '/v1/schedules/sch_1/diff?from=job_1&url=https%3A%2F%2Fa.test%2F%3Fa%3D1',
    ]);
  });

  it('prints JSON for programs', async () => {
    const { stdout, stderr } = await run();
    expect([JSON.parse(stdout), stderr]).toEqual([DIFF, '']);
  });
});

describe('gleaner schedule feed', () => {
  it.each([
    [[], 'GET /v1/schedules/sch_1/feed'],
    [['--rotate'], 'POST /v1/schedules/sch_1/feed/rotate'],
  ])('prints the whole addresses: %j', async (flags, request) => {
    const feed = { token: 'glf_1', atomUrl: '/a?token=glf_1', jsonUrl: '/j?token=glf_1', createdAt: 'now' };
    await using service = await startService((response) => sendJson(response, 200, { feed }));
    const { env } = service;
    const { stdout } = await runGleaner(['schedule', 'feed', 'sch_1', ...flags], { env });
    const { atom, json } = JSON.parse(stdout);
    expect(atom).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a\?token=glf_1$/);
    expect(json).toBe(atom.replace('/a?', '/j?'));
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
  });
});
