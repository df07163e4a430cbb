/** `npm test`: format, lint, unused code, types and every suite; closes with one line for the whole run. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Tally {
  passed: number;
  failed: number;
  /** What the failed tests said. */
  failures: string[];
}

const ROOT = resolve(import.meta.dirname, '../..');

/** The checks that read the sources; each counts as one test. */
const STATIC_CHECKS = [
  {
    name: 'format and lint',
    command: ['biome', 'ci', '.', ...(process.stdout.isTTY ? [] : ['--colors=off'])],
  },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'unused files, exports and dependencies', command: ['knip', '--no-progress'] },
];

const onlyStatic = process.argv.includes('--static');
const tally = await runStaticChecks();
if (!onlyStatic) add(tally, await runSuites());
// Again at the end: the suites before and after a failure fill pages.
for (const failure of tally.failures) console.log(`\n${failure}`);
console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;

async function runStaticChecks(): Promise<Tally> {
  const sum: Tally = { passed: 0, failed: 0, failures: [] };
  for (const { name, command } of STATIC_CHECKS) {
    console.log(`\n▸ ${name}`);
    const exitCode = await run(['pnpm', 'exec', ...command]);
    const isGood = exitCode === 0;
    add(sum, { passed: Number(isGood), failed: Number(!isGood), failures: isGood ? [] : [`✕ ${name}`] });
  }
  return sum;
}

/** Runs the suite of every package and adds up what their reporters wrote. */
async function runSuites(): Promise<Tally> {
  console.log('\n▸ suites');
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-results-'));
  try {
    const exitCode = await run(
      [
        'pnpm',
        'exec',
        'turbo',
        'run',
        'test',
        '--continue=always',
        // One at a time: the suites start servers, services and browsers of their own, which fill two cores.
        '--concurrency=1',
        '--no-update-notifier',
      ],
      {
        GLEANER_TEST_RESULTS: folder,
      },
    );
    const sum = await readTallies(folder);
    // A suite that ended without writing its result has failed, whatever it would have counted.
    if (exitCode !== 0 && sum.failed === 0) sum.failed = 1;
    return sum;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readTallies(folder: string): Promise<Tally> {
  const sum: Tally = { passed: 0, failed: 0, failures: [] };
  for (const file of await readdir(folder)) {
    add(sum, JSON.parse(await readFile(join(folder, file), 'utf8')) as Tally);
  }
  return sum;
}

function add(sum: Tally, other: Tally): void {
  sum.passed += other.passed;
  sum.failed += other.failed;
  sum.failures.push(...other.failures);
}

function run([command, ...args]: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(command ?? '', args, {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', ...env },
    });
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}
