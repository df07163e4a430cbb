import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ENV = { GLEANER_URL: 'http://127.0.0.1:1', GLEANER_API_KEY: 'gl_1' };

describe('a mistake in what was typed', () => {
  it.each([
    ['a command', ['scrap', 'x'], "Unknown command 'scrap'", 'Did you mean scrape?'],
    ['a command of a group', ['job', 'crate'], "Unknown command 'crate'", 'Did you mean create?'],
    [
      "another program's word for a command",
      ['job', 'get', 'x'],
      "Unknown command 'get'",
      'Did you mean: gleaner job show',
    ],
    ['a word for one of several commands', ['key', 'rm'], "Unknown command 'rm'", 'gleaner key revoke'],
    ['an option', ['scrape', 'x', '--rendr'], "Unknown option '--rendr'", 'Did you mean --render?'],
    [
      'an option before the command',
      ['--profile', 'work', 'job', 'list'],
      "Unknown option '--profile'",
      'gleaner job list --profile work',
    ],
    [
      'two options that exclude each other',
      ['scrape', 'x', '--render', '--render-auto'],
      '--render-auto',
      '--render',
    ],
    ['a window', ['scrape', 'x', '--viewport', 'wide'], 'It must be a width, an x and a height', '--help'],
    [
      'an image',
      ['scrape', 'x', '--screenshot', 'a.gif'],
      '--screenshot a.gif does not end in a known',
      '.webp',
    ],
    [
      'options of no screenshot',
      ['job', 'create', 'x', '--mobile'],
      'There is no --screenshot',
      'Add --screenshot',
    ],
    ['a missing argument', ['scrape'], "Missing required argument 'url'", 'gleaner scrape --help'],
    ['a number', ['scrape', 'x', '--timeout', 'soon'], 'It must be a whole number', 'gleaner scrape --help'],
    [
      'a choice',
      ['job', 'list', '--status', 'done'],
      'Allowed choices are pending',
      'gleaner job list --help',
    ],
    [
      'a kind of page',
      ['job', 'results', 'job_1', '--verdict', 'content,logins'],
      'Allowed choices are content, wall, login',
      'gleaner job results --help',
    ],
    [
      'kinds of pages that failed',
      ['job', 'results', 'job_1', '--verdict', 'login', '--failed'],
      '--verdict',
      '--failed',
    ],
    ['a selector', ['scrape', 'x', '-s', 'h1'], '-s h1 is not name=selector.', "-s 'title=h1'"],
    [
      'a selector without a name',
      ['scrape', 'x', '-s', '=h1'],
      '-s =h1 is not name=selector.',
      "-s 'title=h1'",
    ],
    ['a field twice', ['scrape', 'x', '-s', 'a=b', '-s', 'a=c'], '-s names the field a twice.', 'once'],
    ['a header', ['scrape', 'x', '--header', 'de'], '--header de has no ":"', 'Accept-Language: de'],
    ['a format', ['usage', '--format', 'xml'], '--format xml is not a format.', 'table, json, ndjson, csv'],
    ['a part of nothing', ['scrape', 'x', '--main'], '--main needs a format', '--formats markdown'],
    [
      'a part of a format without parts',
      ['scrape', 'x', '--formats', 'article', '--include-css', 'p'],
      '--include-css needs a format that it holds for.',
      '--formats markdown',
    ],
    ['formats', ['scrape', 'x', '--formats', '[text]'], 'It is not JSON', 'gleaner scrape --help'],
    [
      'a sink without a name',
      ['job', 'create', 'a.test', '--sink-format', 'csv'],
      '--sink is missing.',
      '--sink <name>',
    ],
    ['two formats', ['usage', '--json', '--format', 'csv'], 'exclude each other', 'Leave one'],
    ['no URLs', ['job', 'create'], 'No URLs were given.', '--urls-file'],
    [
      'a file that is not there',
      ['job', 'create', '--urls-file', 'nope'],
      'nope could not be read (ENOENT)',
      'path',
    ],
    ['two lists', ['job', 'create', '-', '--urls-file', 'a'], 'Both a and the standard input', 'cat a -'],
    ['no cron', ['schedule', 'create', 'https://a.test'], '--cron is missing.', "--cron '0 9 * * 1-5'"],
    ['no change', ['schedule', 'edit', 'sch_1'], 'No setting was given.', '--cron'],
    ['a date', ['key', 'create', '--expires', 'soon'], '--expires soon is not a date.', '2030-01-31'],
    ['a shell', ['completion', 'tcsh'], "'tcsh' is invalid for argument 'shell'", 'bash, zsh, fish'],
    [
      'a profile',
      ['usage', '--profile', 'nope'],
      'There is no profile nope.',
      'gleaner login --profile nope',
    ],
    [
      'no terminal to ask',
      ['login', '--url', 'http://a.test'],
      'API key (not shown) is missing.',
      '--key-file',
    ],
  ])('is answered with exit code 2 and what to do: %s', async (_what, args, message, suggestion) => {
    const { code, stdout, stderr } = await runGleaner(args, { env: ENV, cwd: folder });
    expect(stderr).toContain(message);
    expect(stderr).toContain(suggestion);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('is found in files of selectors', async () => {
    await writeFile(join(folder, 'list.json'), '["h1"]');
    const list = await runGleaner(['scrape', 'x', '--selectors', 'list.json'], { env: ENV, cwd: folder });
    expect(list).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list.json is not a JSON object.'),
    });
    const text = await runGleaner(['scrape', 'x', '--selectors', '-'], { env: ENV, input: '{"a":' });
    expect(text).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The standard input is not JSON'),
    });
  });
});

describe('a service that cannot be used', () => {
  it('is named when it does not answer', async () => {
    const { code, stderr } = await runGleaner(['usage'], { env: ENV });
    expect(code).toBe(1);
    expect(stderr).toContain('The connection to http://127.0.0.1:1 failed');
    expect(stderr).toContain('Check that the service is running');
  });

  it('is refused when its address is not one', async () => {
    const { code, stderr } = await runGleaner(['usage'], { env: { ...ENV, GLEANER_URL: 'localhost' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('url must be an http or https address')]);
  });

  it('is asked for with a key only', async () => {
    const { code, stderr } = await runGleaner(['usage'], { cwd: folder });
    expect(code).toBe(4);
    expect(stderr).toContain('No API key is known for http://127.0.0.1:8080.');
    expect(stderr).toContain('gleaner login');
  });

  it.each([
    ['a wrong key', 401, { code: 'UNAUTHORIZED', source: 'api' }, 4],
    ['a key without the scope', 403, { code: 'FORBIDDEN', source: 'api' }, 4],
    ['a page that is blocked', 403, { code: 'BLOCKED', source: 'target' }, 5],
    ['a page that is missing', 404, { code: 'NOT_FOUND', source: 'target' }, 5],
    ['a wait that ran out', 408, { code: 'TIMEOUT', source: 'target' }, 6],
    ['a list that is too long', 413, { code: 'PAYLOAD_TOO_LARGE', source: 'api' }, 2],
    ['a bad URL', 400, { code: 'INVALID_URL', source: 'api' }, 2],
    ['an error of the service', 500, { code: 'INTERNAL_ERROR', source: 'api' }, 1],
  ])('has its own exit code for %s', async (_what, status, error, expected) => {
    const rest = { message: 'It did not work.', suggestion: 'Try something else.', requestId: 'req_1' };
    await using service = await startService((response) =>
      sendJson(response, status, { error: { ...rest, ...error } }),
    );
    const ended = await runGleaner(['scrape', 'https://a.test/'], { env: service.env });
    expect(ended.code).toBe(expected);
    expect(ended.stderr).toContain('It did not work.');
    expect(ended.stderr).toContain(`(${error.code}, req_1)`);
    const asJson = await runGleaner(['scrape', 'https://a.test/', '--json'], { env: service.env });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { ...error, status, requestId: 'req_1' } });
  });
});
