import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { GLEANER, runGleaner, runOnTerminal } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

function eventOf(job: ReturnType<typeof jobOf>): string {
  const name = job.status === 'running' ? 'progress' : 'end';
  return `event: ${name}\nid: ${job.completedUrls}\ndata: ${JSON.stringify(job)}\n\n`;
}

const startEvents = (...jobs: ReturnType<typeof jobOf>[]) =>
  startService((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(jobs.map(eventOf).join(''));
  });

describe('a watched job', () => {
  it.each([
    ['completed', 0],
    ['partial', 3],
    ['failed', 1],
    ['cancelled', 1],
  ])('that is %s ends the command with %d', async (status, expected) => {
    await using service = await startEvents(jobOf('running', 10), jobOf(status, 1000, 1));
    const { code, stdout, stderr } = await runGleaner(['job', 'watch', 'job_1'], { env: service.env });
    expect(code).toBe(expected);
    const states = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status);
    expect(states).toEqual(['running', status]);
    expect(stderr).toBe('');
  });

  it('is a line on a terminal, which its fields replace at the end', async () => {
    await using service = await startEvents(jobOf('running', 10), jobOf('completed', 1000));
    const { stdout } = await runOnTerminal(['job', 'watch', 'job_1'], { env: service.env });
    expect(stdout).toContain('\r\u001b[K10/1,000 · running');
    expect(stdout.split('\u001b[K').at(-1)).toMatch(
      /^id +job_01jd8x.*status +completed.*gleaner job results job_1/s,
    );
  });

  it('says of what kind its pages are where some are not content', async () => {
    const last = { ...jobOf('completed', 1000), verdicts: { content: 940, login: 60 } };
    await using service = await startEvents(jobOf('running', 10), last);
    const { stdout } = await runOnTerminal(['job', 'watch', 'job_1'], { env: service.env });
    expect(stdout).toMatch(/verdicts +content 940, login 60/);
    expect(stdout).toContain('gleaner job results job_1 --verdict login');
    await using plain = await startEvents({ ...last, verdicts: { content: 1000 } } as typeof last);
    const shown = await runOnTerminal(['job', 'watch', 'job_1'], { env: plain.env });
    expect(shown.stdout).not.toContain('verdicts');
  });

  it('goes on after Ctrl-C, and the command says how to come back', async () => {
    await using service = await startEvents(jobOf('running', 10));
    const [program, ...flags] = GLEANER;
    const child = spawn(program, [...flags, 'job', 'watch', 'job_1'], {
      env: { ...process.env, ...service.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [stderr, code] = await Promise.all([
      text(child.stderr),
      new Promise<number | null>((done) => child.on('close', done)),
    ]);
    expect(code).toBe(130);
    expect(stderr).toContain('The job goes on. Come back with: gleaner job watch job_1');
    expect(stderr).toContain('gleaner job cancel job_1');
    expect(service.received.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a watch whose service goes away', () => {
  it('says so, and how to come back', async () => {
    const service = await startEvents(jobOf('running', 10));
    const [program, ...flags] = GLEANER;
    const child = spawn(program, [...flags, 'job', 'watch', 'job_1'], {
      env: { ...process.env, ...service.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.once('data', () => void service[Symbol.asyncDispose]());
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      const isAway = (text: string) => text.includes('the service does not answer, trying again');
      // A second signal would end the command at once.
      if (!isAway(stderr) && isAway(stderr + chunk)) child.kill('SIGINT');
      stderr += chunk;
    });
    const code = await new Promise<number | null>((done) => child.on('close', done));
    expect([code, stderr]).toEqual([130, expect.stringContaining('gleaner job watch job_1')]);
  });

  it('ends with the error alone when there is no such job', async () => {
    await using service = await startService((response) => {
      const error = {
        code: 'JOB_NOT_FOUND',
        source: 'api',
        message: 'There is no such job.',
        requestId: 'r',
      };
      sendJson(response, 404, { error });
    });
    const { code, stderr } = await runGleaner(['job', 'watch', 'job_1'], { env: service.env });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('Come back')]);
  });

  it('ends with the error when it is turned away', async () => {
    await using service = await startService((response) => {
      const error = { code: 'UNAUTHORIZED', source: 'api', message: 'The key is revoked.', requestId: 'r' };
      sendJson(response, 401, { error });
    });
    const { code, stderr } = await runGleaner(['job', 'watch', 'job_1'], { env: service.env });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^gleaner: The key is revoked\..*The job goes on\. Come back with:/s);
  });
});

describe('a crawl', () => {
  it('is followed on the error stream, and its results are the output', async () => {
    const crawl = {
      fetched: 2,
      results: 2,
      waiting: 0,
      running: 0,
      depth: 1,
      hosts: 1,
      notFound: 0,
      skipped: {},
      dropped: {},
      warnings: [{ code: 'PATTERN_UNMATCHED', message: 'It links to https://a.test/c.' }],
    };
    await using service = await startService((response, { method, path }) => {
      if (method === 'POST') return sendJson(response, 202, { job: { ...jobOf('pending', 0), crawl } });
      if (path.endsWith('/events'))
        return void response.end(eventOf({ ...jobOf('completed', 1000), crawl } as never));
      response.end('{"url":"https://a.test/","depth":0,"data":{"title":"Home"}}\n');
    });
    const flags = ['--limit', '10', '--include', '/a/**', '--include', '/b/*', '--exclude', '**/print'];
    const more = ['--ignore-query', 'sort,view', '--ignore-robots', '--crawl', '-', '-s', 'title=h1'];
    const input = '{"limit": 7, "rules": [{"match": "/a/*", "follow": false}]}';
    const ended = await runGleaner(['crawl', 'a.test', ...flags, ...more], { env: service.env, input });
    expect(ended).toMatchObject({
      code: 0,
      stdout: '{"url":"https://a.test/","depth":0,"data":{"title":"Home"}}\n',
      stderr: expect.stringContaining('Warning: It links to https://a.test/c.\n'),
    });
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      urls: ['https://a.test'],
      crawl: {
        limit: 10,
        include: ['/a/**', '/b/*'],
        exclude: ['**/print'],
        ignoreQuery: ['sort', 'view'],
        robots: 'ignore',
        rules: [{ match: '/a/*', follow: false }],
      },
      selectors: { title: 'h1' },
    });
    const left = await runGleaner(['crawl', 'a.test', '--no-watch'], { env: service.env });
    expect(JSON.parse(left.stdout)).toMatchObject({ status: 'pending' });
  });
});
