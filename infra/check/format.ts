/** `npm run format`: rewrites every file as the formatter and the safe fixes of the linter want it. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const done = spawnSync('pnpm', ['exec', 'biome', 'check', '--write', '.'], {
  cwd: resolve(import.meta.dirname, '../..'),
  stdio: 'inherit',
});
process.exitCode = done.status ?? 1;
