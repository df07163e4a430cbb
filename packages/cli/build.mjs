/** Builds `dist/` for npm. The workspace runs the sources. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
rmSync(`${here}dist`, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [`${here}node_modules/typescript/bin/tsc`, '-p', `${here}tsconfig.build.json`, '--removeComments'],
  { stdio: 'inherit' },
);
chmodSync(`${here}dist/main.js`, 0o755);
