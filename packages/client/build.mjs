/** Builds `dist/` for npm: ES modules, and their types with the comments that editors show. The workspace runs the sources. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const compile = (...flags) =>
  execFileSync(
    process.execPath,
    [`${here}node_modules/typescript/bin/tsc`, '-p', `${here}tsconfig.build.json`, ...flags],
    { stdio: 'inherit' },
  );

rmSync(`${here}dist`, { recursive: true, force: true });
compile('--removeComments');
compile('--declaration', '--emitDeclarationOnly');
