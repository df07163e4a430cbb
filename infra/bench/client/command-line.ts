import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startOrigin } from '@gleaner/test-kit';
import { percentile } from '../percentile.ts';
import { startScrapeStack } from '../start-scrape-stack.ts';
import { measureStream } from './measure-stream.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLIENT = join(ROOT, 'packages/client');
const CACHE = join(ROOT, 'node_modules/.cache/gleaner-bench');
const ROUNDS = 25;
/** Other command lines for scraping, from the npm registry; both start without their cloud. */
const RIVALS = [
  { name: 'firecrawl-cli', version: '1.23.3', bin: 'firecrawl' },
  { name: 'apify-cli', version: '1.10.0', bin: 'apify' },
] as const;

const run = promisify(execFile);
type Command = readonly [string, ...string[]];

/** Prints the size of the client, the memory of a long stream, and what the command line adds to `node` and to `curl`. */
export async function benchClient(): Promise<void> {
  const gleaner = installPacked();
  printSize();
  await measureStream(join(CACHE, 'node_modules/@gleaner/client/dist/index.js'));
  await measureStart(gleaner);
  await measureScrape(gleaner);
}

/** Installs the command line as users get it, with its rivals, and returns its file. */
function installPacked(): string {
  mkdirSync(CACHE, { recursive: true });
  const packed = ['client', 'cli'].map((name) => {
    const folder = join(ROOT, 'packages', name);
    const text = execFileSync('pnpm', ['pack', '--json', '--pack-destination', CACHE], {
      cwd: folder,
      encoding: 'utf8',
    });
    return (JSON.parse(text.slice(text.indexOf('{'))) as { filename: string }).filename;
  });
  const rivals = RIVALS.map(({ name, version }) => `${name}@${version}`);
  execFileSync(
    'npm',
    ['install', '--prefix', CACHE, '--no-save', '--no-audit', '--loglevel=error', ...packed, ...rivals],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return join(CACHE, 'node_modules/gleaner/dist/main.js');
}

function printSize(): void {
  const files = globSync('dist/**/*.js', { cwd: CLIENT });
  const source = files.map((file) => readFileSync(join(CLIENT, file), 'utf8')).join('\n');
  console.log(
    `client    ${(gzipSync(source, { level: 9 }).length / 1024).toFixed(1)} KB gzipped (${files.length} files)`,
  );
}

async function measureStart(gleaner: string): Promise<void> {
  const node = process.execPath;
  const commands: Record<string, Command> = {
    'node -e 0': [node, '-e', '0'],
    'gleaner --version': [node, gleaner, '--version'],
    'gleaner job --help': [node, gleaner, 'job', '--help'],
    ...Object.fromEntries(
      RIVALS.map(({ bin }): [string, Command] => [
        `${bin} --version`,
        [join(CACHE, 'node_modules/.bin', bin), '--version'],
      ]),
    ),
  };
  print('start', await timeInTurns(commands, process.env), 'node -e 0');
}

async function measureScrape(gleaner: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-client-'));
  const origin = await startOrigin();
  const stack = await startScrapeStack({ dataDir, originPort: origin.port });
  try {
    const url = `${origin.url}/`;
    const body = JSON.stringify({ url, selectors: { title: 'h1' } });
    const headers = ['-H', `Authorization: Bearer ${stack.apiKey}`, '-H', 'Content-Type: application/json'];
    const commands: Record<string, Command> = {
      curl: ['curl', '-s', `${stack.url}/v1/scrape`, ...headers, '-d', body],
      'gleaner scrape': [process.execPath, gleaner, 'scrape', url, '-s', 'title=h1'],
    };
    const env = { ...process.env, GLEANER_URL: stack.url, GLEANER_API_KEY: stack.apiKey };
    print('scrape', await timeInTurns(commands, env), 'curl');
  } finally {
    await stack.stop();
    await origin.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs the commands in turns, so that what else the machine does meets all of them, and returns their times. */
async function timeInTurns(
  commands: Readonly<Record<string, Command>>,
  env: NodeJS.ProcessEnv,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, [program, ...args]] of Object.entries(commands)) {
      const startedMs = performance.now();
      await run(program, args, { env });
      // The first round fills the caches of the system.
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - startedMs]);
    }
  }
  return times;
}

function print(what: string, times: ReadonlyMap<string, readonly number[]>, baseline: string): void {
  const base = percentile(times.get(baseline) ?? [], 0.5);
  for (const [name, samples] of times) {
    const middle = percentile(samples, 0.5);
    const more = name === baseline ? '' : `  +${(middle - base).toFixed(0)} ms over ${baseline}`;
    console.log(
      `${what.padEnd(9)} ${name.padEnd(20)} ${middle.toFixed(0).padStart(5)} ms (p90 ${percentile(samples, 0.9).toFixed(0)})${more}`,
    );
  }
}
