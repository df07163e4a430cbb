import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GLEANER, run, runGleaner, runOnTerminal } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const PAGINATION = { limit: 100, offset: 0, total: 1, hasMore: false };
const startJobs = () =>
  startService((response, { path }) => {
    if (path.includes('/results'))
      return void response.end('{"url":"https://a.test/","data":{"title":"Emma"}}\n');
    sendJson(response, 200, { jobs: [jobOf('partial', 1000, 3)], pagination: PAGINATION });
  });

describe('the output of a command', () => {
  it('is a table on a terminal', async () => {
    await using service = await startJobs();
    const { code, stdout } = await runOnTerminal(['job', 'list'], { env: service.env });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'ID                             STATUS   DONE       FAILED  CREDITS  CREATED               NAME',
        'job_01jd8x0000000000000000000  partial  1000/1000  3       1,000    2026-01-01 00:00:00Z  Books',
        '',
      ].join('\n'),
    );
  });

  it('is one JSON per line on a pipe, and what the option says otherwise', async () => {
    await using service = await startJobs();
    const { env } = service;
    const job = jobOf('partial', 1000, 3);
    expect((await runGleaner(['job', 'list'], { env })).stdout).toBe(`${JSON.stringify(job)}\n`);
    expect(JSON.parse((await runGleaner(['job', 'list', '--json'], { env })).stdout)).toEqual([job]);
    expect((await runGleaner(['job', 'list', '--format', 'csv'], { env })).stdout).toBe(
      'id,status,done,failed,credits,created,name,hosts\r\n' +
        'job_01jd8x0000000000000000000,partial,1000/1000,3,1000,2026-01-01T00:00:00.000Z,Books,\r\n',
    );
  });

  it('is a Parquet file of the results of a job, and of nothing else', async () => {
    const bytes = Buffer.from('PAR1\xff\0PAR1', 'latin1');
    await using service = await startService((response) => void response.end(bytes));
    const { env } = service;
    const words = ['job', 'results', 'job_1', '--rows', 'cards', '-o', 'results.parquet'];
    expect((await runGleaner(words, { env, cwd: folder })).code).toBe(0);
    expect(await readFile(join(folder, 'results.parquet'))).toEqual(bytes);
    expect(service.received.map(({ path }) => path)).toEqual([
      '/v1/jobs/job_1/results?format=parquet&rows=cards',
    ]);
    for (const [args, message] of [
      [['job', 'list', '--format', 'parquet'], 'Only results of jobs and records of datasets have Parquet.'],
      [['job', 'results', 'job_1', '--failed', '--format', 'parquet'], '--failed has no Parquet.'],
      [['job', 'results', 'job_1', '--json', '--rows', 'cards'], '--rows is for CSV and Parquet.'],
    ] as const) {
      const { code, stderr } = await runGleaner(args, { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    const shown = await runOnTerminal(['job', 'results', 'job_1', '--format', 'parquet'], { env });
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining('-o results.parquet')]);
    expect(service.received).toHaveLength(1);
  });

  it('is a Parquet file of the records of a dataset', async () => {
    const bytes = Buffer.from('PAR1\xff\0PAR1', 'latin1');
    await using service = await startService((response, { path }) => {
      response.end(path.includes('/records') ? bytes : JSON.stringify({ dataset: { revision: 7 } }));
    });
    const { env } = service;
    const words = ['dataset', 'pull', 'books', '-o', 'books.parquet'];
    const { code, stderr } = await runGleaner(words, { env, cwd: folder });
    expect([code, stderr]).toEqual([0, expect.stringContaining('--since 7')]);
    expect(await readFile(join(folder, 'books.parquet'))).toEqual(bytes);
    expect(service.received.at(-1)?.path).toBe('/v1/datasets/books/records?format=parquet');
  });

  it('shows the trace of a scrape with the stages of each attempt', async () => {
    const attempt = { engine: 'http', statusCode: 200, outcome: 'success', durationMs: 30 };
    const trace = {
      requestId: 'req_1',
      url: 'https://a.test/',
      state: 'success',
      durationMs: 41,
      attempts: [{ ...attempt, stages: { dns: 1.5, firstByte: 20 } }],
      curl: "curl --url 'https://a.test/'",
    };
    await using service = await startService((response) => sendJson(response, 200, { trace }));
    const { env } = service;
    const { stdout } = await runOnTerminal(['trace', 'req_1'], { env });
    expect(stdout).toContain('dns 1.5 · firstByte 20');
    expect(stdout).toContain(trace.curl);
    expect(JSON.parse((await runGleaner(['trace', 'req_1'], { env })).stdout)).toEqual(trace);
    expect((await runGleaner(['trace', 'job_1'], { env })).code).toBe(2);
  });

  it('goes to a file by its extension, and the file appears when it is complete', async () => {
    await using service = await startJobs();
    const options = { env: service.env, cwd: folder };
    expect(await runGleaner(['job', 'list', '-o', 'jobs.json'], options)).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(JSON.parse(await readFile(join(folder, 'jobs.json'), 'utf8'))).toHaveLength(1);
    const missing = await runGleaner(['job', 'list', '-o', 'no/jobs.json'], options);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no such folder') });
    const full = await runGleaner(['job', 'results', 'job_1', '-o', '/dev/full'], options);
    expect(full).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no space is left on the device'),
    });
  });

  it.each([['no/such.csv', 'there is no such folder']])(
    'into %s is refused before any work is done',
    async (path, reason) => {
      await using service = await startJobs();
      for (const args of [
        ['crawl', 'a.test', '-o', path],
        ['scrape', 'a.test', '--screenshot', `${path}/../no/a.png`],
      ]) {
        const { code, stderr } = await runGleaner(args, { env: service.env, cwd: folder });
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining(args[0] === 'crawl' ? reason : 'no such folder'),
        ]);
      }
      expect(service.received).toEqual([]);
    },
  );

  it.each(['pages.xlsx', 'pages.XML', 'pages.feather'])(
    'into %s is refused with what there is',
    async (path) => {
      await using service = await startJobs();
      for (const args of [
        ['crawl', 'a.test'],
        ['job', 'results', 'job_1'],
        ['scrape', 'a.test'],
      ]) {
        const { code, stderr } = await runGleaner([...args, '-o', path], { env: service.env, cwd: folder });
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`-o ${path.replace(/\.[^.]+$/, '.csv')}`),
        ]);
      }
      expect(service.received).toEqual([]);
    },
  );

  it.each([
    ['a page', 200, { data: {}, metadata: {} }],
    ['an error', 422, { code: 'ACTION_FAILED', message: 'No.', suggestion: '', source: 'target' }],
  ])('has the images of steps in a folder, those of %s', async (_what, status, answer) => {
    const stepScreenshots = ['one', 'two'].map((text, index) => ({
      index,
      image: Buffer.from(text).toString('base64'),
    }));
    const body = { ...answer, stepScreenshots };
    await using service = await startService((response) =>
      sendJson(response, status, status === 200 ? body : { error: body }),
    );
    const words = ['scrape', 'a.test', '--action', 'click=a', '--step-screenshots', `steps-${status}`];
    await runGleaner(words, { env: service.env, cwd: folder });
    expect(JSON.parse(service.received[0]?.body ?? '')).toMatchObject({ stepScreenshots: true });
    const files = [1, 2].map((number) => join(folder, `steps-${status}`, `step-${number}.jpg`));
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual(['one', 'two']);
  });

  it('is the text of a page when that alone was asked for', async () => {
    await using service = await startService((response) =>
      sendJson(response, 200, { formats: { markdown: '# Emma\n\n\tA novel \u001b[31m' }, metadata: {} }),
    );
    const options = { env: service.env, cwd: folder };
    const args = ['scrape', 'localhost:1', '--formats', 'markdown'];
    const { stdout } = await runOnTerminal(args, options);
    expect(stdout).toBe('# Emma\n\n\tA novel \ufffd[31m\n');
    await runGleaner([...args, '-o', 'page.md'], options);
    expect(await readFile(join(folder, 'page.md'), 'utf8')).toBe('# Emma\n\n\tA novel \u001b[31m\n');
    expect(JSON.parse((await runGleaner(args, options)).stdout)).toHaveProperty('markdown');
    expect(JSON.parse(service.received[0]?.body ?? '').url).toBe('http://localhost:1');
  });

  it.each<[string, object, string]>([
    [
      'its only list of records',
      { data: { title: 'Shop', cards: [{ name: 'Emma' }, { name: 'Otto', price: 9 }] } },
      'name,price,title\r\nEmma,,Shop\r\nOtto,9,Shop\r\n',
    ],
    ['one row when that list is empty', { data: { title: 'Shop', cards: [] } }, 'title,cards\r\nShop,[]\r\n'],
    [
      'the only list of records beside an empty list',
      { data: { tags: [], name: '=x', cards: [{ name: 'Emma' }] } },
      "name,tags,page.name\r\nEmma,[],'=x\r\n",
    ],
    ['formats without data', { formats: { text: 'a, b' } }, 'formats.text\r\n"a, b"\r\n'],
    [
      'formats beside data',
      { data: { title: 'Shop' }, formats: { text: 'a', markdown: '# a' } },
      'title,formats.text,formats.markdown\r\nShop,a,# a\r\n',
    ],
    [
      'formats in each row of a list',
      { data: { cards: [{ name: 'Emma' }, { name: 'Otto', price: 9 }] }, formats: { text: 'a' } },
      'name,price,formats.text\r\nEmma,,a\r\nOtto,9,a\r\n',
    ],
  ])('is the CSV of a page: %s', async (_name, page, expected) => {
    await using service = await startService((response) =>
      sendJson(response, 200, { ...page, metadata: {} }),
    );
    const { stdout } = await runGleaner(['scrape', 'a.test', '--format', 'csv'], { env: service.env });
    expect(stdout).toBe(expected);
  });

  it('goes to a folder with a file for each page, Markdown with what it is about', async () => {
    const page = (path: string, content: object) => ({
      url: `https://a.test${path}`,
      ...content,
      metadata: { timestamp: '2026-01-01T00:00:00.000Z' },
    });
    const markdown = (text: string) => ({ formats: { markdown: text } });
    const results = [
      page('/', markdown('# Home: "it"\n\nText')),
      page('/a/../%2e%2e%2f%2e%2e%2fetc/passwd', markdown('no heading')),
      page('/Same', markdown('1')),
      page('/same', markdown('2')),
      page(`/${'ä'.repeat(300)}`, markdown('long')),
      page('/nul', markdown('device')),
      page('/data?x=1&y=%00', { data: { title: 'Emma' } }),
      { url: 'https://a.test/gone', data: null, error: { code: 'NOT_FOUND', message: '' }, attempts: 1 },
    ];
    await using service = await startService((response) => {
      response.end(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
    });
    const options = { env: service.env, cwd: folder };
    const { code, stderr } = await runGleaner(['job', 'results', 'job_1', '-o', 'pages/'], options);
    expect([code, stderr]).toEqual([0, expect.stringContaining('7 pages are in pages/.\n1 have no result')]);
    const names = (await readdir(join(folder, 'pages'))).toSorted();
    expect(names).toHaveLength(7);
    expect(names).toEqual(
      expect.arrayContaining(['index.md', 'etc-passwd.md', 'Same.md', 'data-x-1-y.json']),
    );
    expect(names.filter((name) => /^(same|nul)-[\da-f]{10}\.md$/.test(name))).toHaveLength(2);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThan(150);
    expect(await readFile(join(folder, 'pages/index.md'), 'utf8')).toBe(
      '---\ntitle: "Home: \\"it\\""\nurl: "https://a.test/"\nfetched: "2026-01-01T00:00:00.000Z"\n---\n\n# Home: "it"\n\nText\n',
    );
    expect(JSON.parse(await readFile(join(folder, 'pages/data-x-1-y.json'), 'utf8'))).toEqual({
      url: 'https://a.test/data?x=1&y=%00',
      fetched: '2026-01-01T00:00:00.000Z',
      data: { title: 'Emma' },
    });
    const again = await runGleaner(['job', 'results', 'job_1', '-o', 'pages'], options);
    expect([again.code, (await readdir(join(folder, 'pages'))).toSorted()]).toEqual([0, names]);
  });

  it('has the results or URLs of pages of some kinds alone', async () => {
    await using service = await startService((response) => void response.end());
    const options = { env: service.env, cwd: folder };
    for (const args of [['results'], ['results', '-o', 'kinds/'], ['urls', '--state', 'completed']]) {
      await runGleaner(['job', ...args, 'job_1', '--verdict', 'login,wall'], options);
    }
    const asked = service.received.map(({ path }) => new URL(path, 'http://a.test').searchParams);
    expect(asked.map((query) => query.get('verdict'))).toEqual(['login,wall', 'login,wall', 'login,wall']);
  });

  it('does not go to a file that holds one page when there are many', async () => {
    await using service = await startJobs();
    for (const args of [
      ['job', 'results', 'job_1'],
      ['crawl', 'a.test', '--formats', 'markdown'],
    ]) {
      const { code, stderr } = await runGleaner([...args, '-o', 'out.md'], { env: service.env, cwd: folder });
      expect([code, stderr]).toEqual([2, expect.stringContaining('-o out/')]);
    }
    expect(service.received).toEqual([]);
  });

  it('leaves no file behind when the stream is cut', async () => {
    await using service = await startService((response) => {
      response.writeHead(200).write('{"url":"https://a.test/"}\n', () => response.destroy());
    });
    const options = { env: service.env, cwd: folder };
    const { code, stderr } = await runGleaner(['job', 'results', 'job_1', '-o', 'cut.ndjson'], options);
    expect(code).toBe(1);
    expect(stderr).toContain('The stream broke off before its end.');
    expect((await readdir(folder)).filter((name) => name.startsWith('cut'))).toEqual([]);
  });

  it('goes on where its stream broke off when the job had finished', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `{"url":"https://a.test/${index}"}\n`);
    await using service = await startService((response, { path }) => {
      if (!path.includes('/results')) {
        return sendJson(response, 200, { job: { completedAt: '2026-01-01T00:00:00.000Z', results: [] } });
      }
      const offset = Number(new URL(path, service.url).searchParams.get('offset') ?? 0);
      response.writeHead(200);
      const rest = Buffer.from(lines.slice(offset).join(''));
      if (offset > 9) return void response.end(rest);
      response.write(rest.subarray(0, 200), () => response.destroy());
    });
    const options = { env: service.env, cwd: folder };
    expect(await runGleaner(['job', 'results', 'job_1', '-o', 'whole.ndjson'], options)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await readFile(join(folder, 'whole.ndjson'), 'utf8')).toBe(lines.join(''));
  });

  it('waits as a busy service says, and gives up a storm of 429', async () => {
    await using service = await startService((response) => {
      const error = {
        code: 'RATE_LIMITED',
        source: 'api',
        message: 'Too many requests.',
        requestId: 'req_1',
      };
      response.setHeader('retry-after', '0');
      sendJson(response, 429, { error });
    });
    const { code, stderr } = await runGleaner(['job', 'list'], { env: service.env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Too many requests.')]);
    expect(service.received).toHaveLength(3);
  });

  it('ends quietly when its reader has seen enough', async () => {
    await using service = await startService((response) => {
      const line = `${JSON.stringify({ url: 'https://a.test/', data: { title: 'x'.repeat(200) } })}\n`;
      response.writeHead(200);
      for (let count = 0; count < 100_000; count += 1000) response.write(line.repeat(1000));
      response.end();
    });
    const command = GLEANER.map((word) => `'${word}'`).join(' ');
    const pipe = `{ ${command} job results job_1; echo "exit $?" >&2; } | head -1`;
    const { stdout, stderr } = await run('bash', ['-c', pipe], { env: service.env });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr).toBe('exit 0\n');
  });

  it('has nothing that a terminal would obey, in any form, and goes to a pipe as it is', async () => {
    const hostile = 'a\u001b]52;c;eA==\u0007\u001b]0;t\u0007\u009b31m\u202e\rb';
    const result = { url: `https://a.test/${hostile}`, data: { [hostile]: hostile } };
    const csv = `${hostile}\r\n"${hostile}"\r\n`;
    await using service = await startService((response, { path }) => {
      if (path.includes('format=csv')) {
        const bytes = Buffer.from(csv);
        const middle = bytes.indexOf('\r\n') + 1;
        response.write(bytes.subarray(0, middle), () => response.end(bytes.subarray(middle)));
      } else if (path.includes('/results')) response.end(`${JSON.stringify(result)}\n`);
      else if (path.endsWith('/v1/scrape')) {
        const warnings = [{ field: hostile, code: 'X', message: hostile }];
        sendJson(response, 200, { data: { [hostile]: hostile }, metadata: {}, warnings });
      } else {
        const error = { code: 'UPSTREAM_ERROR', message: hostile, suggestion: hostile, source: 'target' };
        sendJson(response, 502, { error: { ...error, requestId: hostile } });
      }
    });
    const { env } = service;
    const results = ['job', 'results', 'job_1'];
    const commands = [
      ...[[], ['--format', 'csv'], ['--format', 'ndjson'], ['--json']].map((form) => [...results, ...form]),
      ['scrape', 'a.test'],
      ['scrape', 'a.test', '--format', 'csv'],
      ['job', 'show', 'job_1'],
    ];
    for (const command of commands) {
      const { stdout } = await runOnTerminal(command, { env });
      expect(stdout).not.toMatch(/[\p{Cc}\u202e](?<![\n\t])/u);
      expect(stdout).toContain('\ufffd');
    }
    expect((await runGleaner([...results, '--format', 'csv'], { env })).stdout).toBe(csv);
    expect((await runGleaner(results, { env })).stdout).toBe(`${JSON.stringify(result)}\n`);
  });

  it('shows nothing of a page that a terminal would obey', async () => {
    await using service = await startService((response) =>
      sendJson(response, 200, { data: { title: 'a\u009b31m' }, metadata: {} }),
    );
    const { stdout } = await runOnTerminal(['scrape', 'https://a.test/'], { env: service.env });
    expect(stdout).toBe('{\n  "title": "a\ufffd31m"\n}\n');
  });

  it('has the data of a scrape as CSV, one row for each record of its list', async () => {
    const cards = [
      { name: 'Emma', price: { amount: 7, currency: 'EUR' } },
      { name: 'Otto, jr.', price: null },
    ];
    await using service = await startService((response) =>
      sendJson(response, 200, { data: { title: 'x', cards } }),
    );
    const { stdout } = await runGleaner(['scrape', 'a.test', '--format', 'csv'], { env: service.env });
    expect(stdout).toBe(
      'name,price,title\r\nEmma,"{""amount"":7,""currency"":""EUR""}",x\r\n"Otto, jr.",,x\r\n',
    );
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({ url: 'https://a.test' });
    const args = ['scrape', 'a.test', '--format', 'csv', '--columns'];
    const chosen = await runGleaner([...args, 'title,name'], { env: service.env });
    expect(chosen.stdout).toBe('title,name\r\nx,Emma\r\nx,"Otto, jr."\r\n');
    const unknown = await runGleaner([...args, 'nme'], { env: service.env });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('name, price, title') });
  });
});

describe('a command that reads', () => {
  it('sends URLs of a Windows file and every option of the page', async () => {
    await using service = await startService((response) =>
      sendJson(response, 202, { job: jobOf('pending', 0) }),
    );
    const input = '\ufeffhttps://a.test/1\r\n\r\n# a comment\r\nb.test\r\n';
    const args = ['-s', 'title=h1', '-s', 'a=b[c="d=e"]', '--wait-for', '500', '--formats', 'text, links'];
    const more = [
      '--header',
      'Accept-Language: de',
      '--cookie',
      'a=b=c',
      '--name',
      'N',
      '--webhook',
      'https://h.test/',
    ];
    const { code } = await runGleaner(['job', 'create', '--urls-file', '-', ...args, ...more], {
      env: service.env,
      input,
    });
    expect(code).toBe(0);
    const [{ body, headers } = { body: '', headers: undefined }] = service.received;
    expect(JSON.parse(body)).toEqual({
      urls: ['https://a.test/1', 'https://b.test'],
      selectors: { title: 'h1', a: 'b[c="d=e"]' },
      waitFor: 500,
      formats: ['text', 'links'],
      headers: { 'Accept-Language': 'de' },
      cookies: [{ name: 'a', value: 'b=c' }],
      name: 'N',
      webhook: 'https://h.test/',
    });
    expect(headers?.['idempotency-key']).toMatch(/^[\w-]{36}$/);
    expect(headers?.['user-agent']).toMatch(/^gleaner-cli\//);
  });

  it('sends the steps of a file and those that are given', async () => {
    await using service = await startService((response) =>
      sendJson(response, 202, { job: jobOf('pending', 0) }),
    );
    const steps = [
      'click=.more',
      'fill=[name="a=b"]=c=d',
      'fill=#q=',
      'press=Enter',
      'waitFor=500',
      'waitFor=.x',
    ];
    const others = [
      'scroll=end',
      'repeat=click=a.more',
      '{"collect":".card","optional":true}',
      'select=#size=L',
    ];
    const args = [...steps, ...others].flatMap((step) => ['--action', step]);
    const { code } = await runGleaner(['job', 'create', 'https://a.test/', '--actions-file', '-', ...args], {
      env: service.env,
      input: '[{"hover": "nav"}]',
    });
    expect(code).toBe(0);
    expect(JSON.parse(service.received[0]?.body ?? '').actions).toEqual([
      ...[
        { hover: 'nav' },
        { click: '.more' },
        { fill: '[name="a=b"]', value: 'c=d' },
        { fill: '#q', value: '' },
      ],
      ...[{ press: 'Enter' }, { waitFor: 500 }, { waitFor: '.x' }, { scroll: 'end' }],
      ...[
        { repeat: [{ click: 'a.more' }] },
        { collect: '.card', optional: true },
        { select: '#size', value: 'L' },
      ],
    ]);
  });

  it.each([
    [['--action', 'click'], '--action click is not verb=target.'],
    [['--action', 'fill=#q'], '--action fill=#q has no value.'],
    [['--action', '{"click"'], 'is not JSON'],
    [['--actions-file', '/nowhere/actions.json'], 'could not be read'],
  ])('says how %j is written', async (args, message) => {
    const { code, stderr } = await runGleaner(['scrape', 'https://a.test/', ...args], {
      env: { GLEANER_URL: 'http://127.0.0.1:1' },
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each([
    [
      ['--formats', 'metadata,markdown,text', '--main', '--exclude-css', '.ads'],
      ['metadata', ...['markdown', 'text'].map((type) => ({ type, main: true, exclude: '.ads' }))],
    ],
    [
      ['--formats', 'article,text,links', '--hidden-text', 'drop'],
      [{ type: 'article', hidden: 'drop' }, { type: 'text', hidden: 'drop' }, 'links'],
    ],
    [['--formats', 'html', '--include-css', 'main, .post'], [{ type: 'html', include: 'main, .post' }]],
    [
      ['--formats', '["text", {"type": "html", "exclude": "i"}]', '--main'],
      [
        { type: 'text', main: true },
        { type: 'html', main: true, exclude: 'i' },
      ],
    ],
  ])('sends the part of the page that formats are read from: %j', async (args, formats) => {
    await using service = await startService((response) =>
      sendJson(response, 200, { formats: {}, metadata: {} }),
    );
    await runGleaner(['scrape', 'a.test', ...args], { env: service.env });
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({ url: 'https://a.test', formats });
  });

  it.each([
    ['job create', ['job', 'create', 'a.test'], undefined],
    ['crawl', ['crawl', 'a.test', '--no-watch'], undefined],
    ['schedule edit', ['schedule', 'edit', 'sch_1'], { url: 'https://h.test/', metadata: { a: 'b' } }],
  ])('sends the events of a webhook that %s names', async (_name, args, known) => {
    await using service = await startService((response, { method }) =>
      sendJson(response, method === 'POST' ? 202 : 200, {
        job: jobOf('pending', 0),
        schedule: { id: 'sch_1', webhook: known ?? null },
      }),
    );
    const { env } = service;
    const events = ['--webhook-event', 'job.failed', '--webhook-event', 'job.pages'];
    const url = known ? [] : ['--webhook', 'https://h.test/'];
    expect(await runGleaner([...args, ...url, ...events], { env })).toMatchObject({ code: 0 });
    const sent = service.received.find(({ body }) => body !== '');
    const { webhook } = JSON.parse(sent?.body ?? '{}');
    expect(webhook).toEqual({ url: 'https://h.test/', ...known, events: ['job.failed', 'job.pages'] });
    const wrong = await runGleaner([...args, ...url, '--webhook-event', 'job.lost'], { env });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Allowed choices are') });
  });

  it('sends 100,000 URLs of the standard input', async () => {
    await using service = await startService((response) =>
      sendJson(response, 202, { job: jobOf('pending', 0) }),
    );
    const urls = Array.from({ length: 100_000 }, (_, index) => `https://a.test/${index}`);
    for (const source of [['--urls-file', '-'], ['-']]) {
      const given = { env: service.env, input: urls.join('\n') };
      expect(await runGleaner(['job', 'create', ...source], given)).toMatchObject({ code: 0 });
      expect(JSON.parse(service.received.pop()?.body ?? '').urls).toEqual(urls);
    }
  });
});
