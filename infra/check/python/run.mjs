/**
 * Runs the unittest suite in `test/` of the package in the working folder with `python3`, and writes its tally to `.results/`;
 * arguments choose tests as those of unittest do: `node ../../infra/check/python/run.mjs -k watch`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST = '3.9';
const PROGRAM = fileURLToPath(new URL('run.py', import.meta.url));
const RESULTS = '.results/test.json';

const advice = findProblem();
mkdirSync('.results', { recursive: true });
rmSync(RESULTS, { force: true });
if (advice === undefined) {
  const child = spawn(
    'python3',
    ['-W', 'error::ResourceWarning', PROGRAM, RESULTS, ...process.argv.slice(2)],
    {
      stdio: 'inherit',
      env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} else {
  console.error(advice);
  writeFileSync(RESULTS, JSON.stringify({ passed: 0, failed: 1, failures: [`✕ ${advice}`] }));
  process.exitCode = 1;
}

/** Returns what to do when this machine cannot run the suite. */
function findProblem() {
  const { stdout, error } = spawnSync(
    'python3',
    ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'],
    {
      encoding: 'utf8',
    },
  );
  const version = stdout?.trim();
  if (!error && version) {
    const [major, minor] = version.split('.').map(Number);
    const [oldestMajor, oldestMinor] = OLDEST.split('.').map(Number);
    if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  }
  return (
    `The tests of the Python client need python3 ${OLDEST} or newer; this machine has ${version || 'none'}. ` +
    'Install it (Debian, Ubuntu: apt-get install python3; macOS: xcode-select --install), then run this again.'
  );
}
