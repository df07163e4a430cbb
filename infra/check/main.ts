/**
 * `npm test`: every check and the quick suites, through turbo; closes with one line for the whole run.
 * `npm test -- --static` leaves the suites out, `--long` (`npm run test:long`) runs the long ones alone, and `--all` everything.
 * Results of tasks whose inputs have not changed come from turbo's cache; `npm test -- --force` and CI repeat all.
 * Other arguments go to turbo, such as `--filter=@gleaner/egress`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { addUp, removeResults, type TurboTask } from './tally.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SUMMARIES = join(ROOT, '.turbo/runs');
const LOCAL_RABBITMQ = { host: '127.0.0.1', port: 5672 };

/** Scripts of the root, each of which reads the sources of the whole workspace; each counts as one test. */
const CHECKS = ['format:check', 'typecheck', 'lint', 'unused', 'boundaries', 'shape', 'words', 'commits'];
/** Scripts of the packages. */
const QUICK = ['test', 'test:acceptance', 'test:stack'];
const LONG = ['test:long'];

/** Tasks of a run by the argument that chooses them. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  '--static': CHECKS,
  '--long': LONG,
  '--all': [...CHECKS, ...QUICK, ...LONG],
};

const choice = process.argv.find((argument) => argument in CHOICES);
const tasks = CHOICES[choice ?? ''] ?? [...CHECKS, ...QUICK];
const args = process.argv.slice(2).filter((argument) => argument !== choice);
removeResults(ROOT);
rmSync(SUMMARIES, { recursive: true, force: true });
const exitCode = await runTurbo(tasks, args);
const tally = addUp(ROOT, readSummary());
if (exitCode !== 0 && tally.failed === 0) tally.failed = 1;
// Again at the end: the output before and after a failure fills pages.
for (const failure of tally.failures) console.log(`\n${failure}`);
console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;

async function runTurbo(names: readonly string[], more: readonly string[]): Promise<number> {
  const isCi = Boolean(process.env.CI) && process.env.CI !== 'false';
  // turbo refuses a flag that is given twice.
  const flags = new Set([`--concurrency=${suitesAtOnce(names)}`, ...(isCi ? ['--force'] : []), ...more]);
  const command = ['run', '--silent', 'tasks', ...names, ...flags];
  const child = spawn('pnpm', command, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      DO_NOT_TRACK: '1',
      GLEANER_TEST_MACHINE: await describeMachine(),
    },
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}

/**
 * Returns how many tasks run side by side. Quick suites mostly wait for servers and browsers, so one for two cores and two
 * more; the long ones bring a load of their own.
 */
function suitesAtOnce(names: readonly string[]): number {
  const more = names.some((name) => LONG.includes(name)) ? 1 : 2;
  return Math.min(4, Math.floor(availableParallelism() / 2) + more);
}

/** Returns the properties of this machine that can change a result; turbo repeats everything when they change. */
async function describeMachine(): Promise<string> {
  const rabbitmq = (await answers(LOCAL_RABBITMQ)) ? 'with' : 'without';
  const { stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  const python = stdout?.trim() || 'no Python';
  return `node ${process.version} on ${process.platform} ${process.arch}, ${python}, ${rabbitmq} RabbitMQ`;
}

function answers(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(address);
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => {
      done(true);
      socket.destroy();
    });
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}

function readSummary(): TurboTask[] {
  const [file] = globSync('*.json', { cwd: SUMMARIES });
  if (!file) return [];
  const { tasks: done } = JSON.parse(readFileSync(join(SUMMARIES, file), 'utf8')) as { tasks: TurboTask[] };
  // Packages without such a script are listed, too.
  return done.filter(({ command }) => command !== '<NONEXISTENT>');
}
