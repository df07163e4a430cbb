import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSchema, WebhookEventSchema } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { choosePort } from '../stack/ports.ts';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let test: TestStack;
let folder: string;
let webhookPort: number;

beforeAll(async () => {
  webhookPort = await choosePort({ host: '127.0.0.1', port: 0, askedBy: undefined });
  test = await joinStack();
  folder = await mkdtemp(join(tmpdir(), 'gleaner-commands-'));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function gleaner(...args: string[]): ReturnType<typeof runGleaner> {
  return runGleaner(test.stack, folder, args);
}

describe('the command line with a running stack', () => {
  it('prints the data of a page', async () => {
    const { code, stdout } = await gleaner(
      'scrape',
      test.stack.demoUrl,
      '-s',
      'titles=.book h2::all',
      '-s',
      'h=h1',
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      h: 'All books',
      titles: expect.arrayContaining(['Moby-Dick']),
    });
    const records = { books: { selector: '.book', all: true, fields: { title: 'h2' } } };
    await writeFile(join(folder, 'books.json'), JSON.stringify(records));
    const csv = await gleaner('scrape', test.stack.demoUrl, '--selectors', 'books.json', '-o', 'books.csv');
    expect(csv).toMatchObject({ code: 0, stdout: '' });
    expect((await readFile(join(folder, 'books.csv'), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      'title',
      'Middlemarch',
    ]);
  });

  it('has an exit code for a page that is missing and for a selector that does not parse', async () => {
    expect(await gleaner('scrape', `${test.stack.demoUrl}gone`)).toMatchObject({ code: 5 });
    const invalid = await gleaner('scrape', test.stack.demoUrl, '-s', 'a=h1::nothing');
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining('::nothing does not exist') });
  });

  it('creates a job from a file, watches it, and has its results in every form', async () => {
    const urls = [test.stack.demoUrl, `${test.stack.demoUrl}gone`];
    await writeFile(join(folder, 'urls.txt'), urls.join('\r\n'));
    const watched = await gleaner('job', 'create', '--urls-file', 'urls.txt', '-s', 'h=h1', '--watch');
    expect(watched.code).toBe(3);
    const { id } = JSON.parse(watched.stdout.trim().split('\n').at(-1) ?? '') as { id: string };
    const { stdout: results } = await gleaner('job', 'results', id);
    expect(
      results
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).data),
    ).toEqual([{ h: 'All books' }, null]);
    expect((await gleaner('job', 'results', id, '--format', 'csv')).stdout).toContain(`All books,${urls[0]}`);
    expect(JSON.parse((await gleaner('job', 'results', id, '--failed', '--json')).stdout)).toHaveLength(1);
    expect(JSON.parse((await gleaner('job', 'urls', id, '--state', 'failed')).stdout)).toMatchObject({
      index: 1,
    });
    expect(JSON.parse((await gleaner('job', 'show', id)).stdout)).toMatchObject({
      options: { selectors: { h: 'h1' } },
    });
    expect(await gleaner('job', 'rerun', id, '--failed', '--watch')).toMatchObject({ code: 1 });
    expect((await gleaner('job', 'list', '--all')).stdout.trim().split('\n')).toHaveLength(2);
    const cancelled = await gleaner('job', 'cancel', id);
    expect(cancelled).toMatchObject({ code: 1, stderr: expect.stringContaining('gleaner job results') });
  });

  it('crawls a site and writes its pages to a file', async () => {
    const scope = ['--limit', '3', '--sitemap', 'skip'];
    const ended = await gleaner(
      'crawl',
      test.stack.demoUrl,
      ...scope,
      '-s',
      'title=h1',
      '-o',
      'pages.ndjson',
    );
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^job_/) });
    const pages = (await readFile(join(folder, 'pages.ndjson'), 'utf8')).trim().split('\n');
    expect(pages.map((line) => JSON.parse(line).depth)).toEqual([0, 1, 1]);
  });

  it('prints a link that signs in to the console', async () => {
    const { code, stdout } = await gleaner('open');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#code=[\w-]{43}\n$/);
  });

  it('manages schedules', async () => {
    const created = await gleaner(
      'schedule',
      'create',
      test.stack.demoUrl,
      '--cron',
      '0 9 * * *',
      '-s',
      'h=h1',
    );
    const { id } = JSON.parse(created.stdout) as { id: string };
    const edited = await gleaner('schedule', 'edit', id, '--name', 'Daily', '--reset', 'timezone');
    expect(JSON.parse(edited.stdout)).toMatchObject({ name: 'Daily', timezone: 'UTC' });
    expect(JSON.parse((await gleaner('schedule', 'pause', id)).stdout)).toMatchObject({ status: 'paused' });
    expect(JSON.parse((await gleaner('schedule', 'resume', id)).stdout)).toMatchObject({ status: 'active' });
    expect(await gleaner('schedule', 'run', id, '--watch')).toMatchObject({ code: 0 });
    expect((await gleaner('schedule', 'runs', id, '--format', 'csv')).stdout.split('\r\n')[1]).toContain(
      'completed',
    );
    expect(await gleaner('schedule', 'delete', id)).toMatchObject({ code: 0 });
    expect(await gleaner('schedule', 'show', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gleaner schedule list'),
    });
  });

  it('schedules crawls of several pages, and shows what has changed', async () => {
    const pages = [test.stack.demoUrl, `${test.stack.demoUrl}books/emma`];
    const options = ['--cron', '0 9 * * *', '--limit', '2', '--sitemap', 'skip', '--changes', '-s', 'h=h1'];
    const created = await gleaner('schedule', 'create', ...pages, ...options);
    const { id, urls, crawl } = JSON.parse(created.stdout);
    expect([urls, crawl]).toEqual([pages, { limit: 2, sitemap: 'skip', changes: true }]);
    expect(await gleaner('schedule', 'changes', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`gleaner schedule run ${id}`),
    });
    expect(await gleaner('schedule', 'run', id, '--watch')).toMatchObject({ code: 0 });
    const edited = await gleaner('schedule', 'edit', id, '--limit', '4', '--page', test.stack.demoUrl);
    expect(JSON.parse(edited.stdout)).toMatchObject({
      url: test.stack.demoUrl,
      crawl: { limit: 4, sitemap: 'skip', changes: true },
    });
    expect(await gleaner('schedule', 'run', id, '--watch')).toMatchObject({ code: 0 });
    expect(await gleaner('schedule', 'changes', id)).toMatchObject({ code: 0, stdout: '' });
    const [run = ''] = (await gleaner('schedule', 'runs', id)).stdout.split('\n');
    const found = await gleaner('job', 'results', JSON.parse(run).id, '--change', 'new');
    expect(found.code).toBe(0);
    expect(
      found.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(Array(3).fill(expect.objectContaining({ change: 'new', data: { h: expect.any(String) } })));
    const plain = await gleaner('schedule', 'create', test.stack.demoUrl, '--cron', '0 9 * * *');
    const other = JSON.parse(plain.stdout).id;
    await gleaner('schedule', 'run', other, '--watch');
    expect(await gleaner('schedule', 'changes', other)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^job_\w+, finished /),
    });
  });

  it('opens the documentation', async () => {
    expect(await gleaner('open', 'docs')).toMatchObject({ code: 0, stdout: `${test.stack.url}/docs\n` });
  });

  it('receives webhooks, as the OpenAPI document has them', async () => {
    const checkEvent = compileSchema(WebhookEventSchema);
    const listening = gleaner('webhook', 'listen', '--port', String(webhookPort), '--count', '2');
    const url = `http://127.0.0.1:${webhookPort}/`;
    await eventually(async () => {
      const forged = await fetch(url, { method: 'POST', body: '{}' });
      expect(forged.status).toBe(401);
    });
    await gleaner('job', 'create', test.stack.demoUrl, '-s', 'h=h1', '--webhook', url);
    const { code, stdout, stderr } = await listening;
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, events.map(({ type }) => type)]).toEqual([0, ['webhook.test', 'job.completed']]);
    expect(events[1].data.job.results).toMatchObject([{ data: { h: 'All books' } }]);
    for (const event of events) expect(checkEvent(event)).toEqual({ ok: true, value: event });
    expect(stderr).toContain('rejected:');
  });

  it('manages keys and shows the usage', async () => {
    const created = await gleaner('key', 'create', '--scopes', 'usage', '--expires', '2099-01-31');
    expect(created.stdout).toMatch(/^gl_\w+\n$/);
    const { id } = JSON.parse((await gleaner('key', 'list', '--limit', '1')).stdout) as { id: string };
    expect(created.stderr).toContain(id);
    expect(await gleaner('key', 'revoke', id)).toMatchObject({ code: 0 });
    expect(JSON.parse((await gleaner('usage')).stdout)).toMatchObject({
      used: expect.any(Number),
      remaining: null,
    });
  });

  it('shows the secret of webhooks and what was sent', async () => {
    expect((await gleaner('webhook', 'secret')).stdout).toMatch(/^whsec_\S+\n$/);
    expect((await gleaner('webhook', 'deliveries')).stdout).toContain('"type":"webhook.test"');
  });

  it('finds nothing wrong with it', async () => {
    const { code, stdout } = await gleaner('doctor', '--page', test.stack.demoUrl, '--json');
    const checks = JSON.parse(stdout) as { id: string; state: string }[];
    const wrong = checks.filter(({ id, state }) => state === 'failed' && id !== 'browser');
    expect(wrong).toEqual([]);
    expect(code).toBe(HAS_BROWSER ? 0 : 1);
  });
});
