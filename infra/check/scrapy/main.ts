/**
 * `npm run check:scrapy`: unpacks the Scrapy of Debian into a folder of its own, and crawls through the download handler of the Python
 * client against a stack: the spider of docs/scrapy.md, and requests of each kind. Needs a Debian or a system made of it, and its mirror.
 */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@gleaner/test-kit';
import { startTestStack, type TestStack } from '../../stack/test/test-stack.ts';
import { checkRequests } from './check-requests.ts';
import { type DebianPython, unpackDebian } from './unpack-debian.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'packages/client-python/src');
const LOGS = join(ROOT, 'node_modules/.cache/gleaner-scrapy');
const LONGEST_MS = 600_000;

const debian = await unpackDebian(['python3-scrapy'], LOGS);
const folder = await mkdtemp(join(tmpdir(), 'gleaner-scrapy-'));
try {
  await using test = await startTestStack();
  const version = await runPython(debian, ['-c', 'import scrapy; print(scrapy.__version__)'], test);
  console.log(`Scrapy ${version.trim()}`);
  await checkExample(test);
  const program = [join(import.meta.dirname, 'check_handler.py')];
  checkRequests(JSON.parse(await runPython(debian, program, test)), test.origin);
  await checkAway(test, program);
  console.log('\nThe download handler works.');
} finally {
  await rm(folder, { recursive: true });
}

/** Runs the spider of the documentation on a page that a script fills. */
async function checkExample(test: TestStack): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/scrapy.md'), 'utf8');
  const [, spider = ''] = /<!-- specials\.py -->\n```python\n([\s\S]*?)^```$/m.exec(page) ?? [];
  await writeFile(join(folder, 'specials.py'), spider);
  await runPython(debian, ['-m', 'scrapy', 'runspider', 'specials.py', '-O', 'specials.csv'], test);
  const [header, ...rows] = (await readFile(join(folder, 'specials.csv'), 'utf8')).trim().split('\r\n');
  assert.equal(header, 'title,price');
  assert.ok(rows.length > 0 && rows.every((row) => /^.+,\d+(\.\d+)?$/.test(row)), rows.join('\n'));
  console.log(`the spider of docs/scrapy.md has ${rows.length} books of a page that a script fills`);
}

/** Crawls while no service answers: Scrapy's own requests work, and those of Gleaner are repeated. */
async function checkAway(test: TestStack, program: readonly string[]): Promise<void> {
  const away = `http://127.0.0.1:${await freePort()}`;
  const { found } = JSON.parse(
    await runPython(debian, program, { ...test, stack: { ...test.stack, url: away } }),
  );
  assert.equal(found.own.status, 200);
  assert.deepEqual(
    [found.plain.error, found.plain.temporary, found.plain.retries],
    ['CONNECTION_FAILED', true, 1],
  );
  console.log('a service that is away is asked again by the retry middleware');
}

/** Runs Python with Scrapy and the sources of the client; returns what it prints. */
async function runPython(
  { python, env }: DebianPython,
  args: readonly string[],
  { stack, origin }: Pick<TestStack, 'stack' | 'origin'>,
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(python, [...args], {
    cwd: folder,
    timeout: LONGEST_MS,
    env: {
      ...process.env,
      ...env,
      PYTHONPATH: `${CLIENT}:${env.PYTHONPATH}`,
      PYTHONDONTWRITEBYTECODE: '1',
      GLEANER_URL: stack.url,
      GLEANER_API_KEY: stack.apiKey,
      ORIGIN_URL: origin.url,
      SHOP_URL: stack.demoUrl,
    },
  });
  await writeFile(join(LOGS, `${args.at(-1)?.split('/').at(-1)}.log`), stderr);
  return stdout;
}
