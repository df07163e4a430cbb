/**
 * Runs the suite of the package in the working folder; arguments go to jest: `node ../../infra/check/jest/run.mjs src/a`.
 * A process that a test leaves behind keeps the output of jest open, which turbo would wait for: it is reported here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** On a machine under load, the end of a pipe may be read long after the process has ended. */
const LEFTOVER_MS = 60_000;
const KILL_AFTER_MS = 5000;

const jest = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    ...['node_modules/jest/bin/jest.js', '--rootDir', '.'],
    ...['--config', fileURLToPath(new URL('../../../jest.config.mjs', import.meta.url))],
    ...process.argv.slice(2),
  ],
  { stdio: process.stdout.isTTY ? 'inherit' : ['ignore', 'pipe', 'pipe'] },
);
jest.stdout?.pipe(process.stdout);
jest.stderr?.pipe(process.stderr);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    jest.kill(signal);
    // Servers that run in the process of a suite may handle the signal, and go on.
    setTimeout(() => jest.kill('SIGKILL'), KILL_AFTER_MS).unref();
  });
}

const closed = once(jest, 'close');
const [code] = await once(jest, 'exit');
process.exitCode = code ?? 1;
const timer = setTimeout(() => {
  console.error('A process that a test has started is still running.');
  process.exit(1);
}, LEFTOVER_MS);
await closed;
clearTimeout(timer);
