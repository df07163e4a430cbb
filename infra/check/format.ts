/** `npm run format`: rewrites every file as the formatter and the safe fixes of the linter want it. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const PYTHON = ['--disable-warning=ExperimentalWarning', 'infra/check/python/check-python.ts', '--write'];
const COMMANDS = [
  ['pnpm', ['exec', 'biome', 'check', '--write', '.']],
  [process.execPath, PYTHON],
] as const;

for (const [command, args] of COMMANDS) {
  const done = spawnSync(command, args, { cwd: resolve(import.meta.dirname, '../..'), stdio: 'inherit' });
  process.exitCode = Math.max(Number(process.exitCode ?? 0), done.status ?? 1);
}
