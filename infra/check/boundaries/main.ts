/** `npm run boundaries`: imports between packages follow the layers, and no two folders import each other. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkLayers } from './check-layers.ts';
import { findFolderCycles } from './find-folder-cycles.ts';
import { type Import, readImports } from './read-imports.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const imports = globSync('{packages,services,infra}/**/*.{ts,tsx,mjs}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
  .sort()
  .flatMap((file) => readImports(file, readFileSync(resolve(ROOT, file), 'utf8')));

const problems = [
  ...checkLayers(imports),
  ...findFolderCycles(imports).map(
    ({ folders: [a, b], imports: [there, back] }) =>
      `${a} and ${b} import each other:\n${describe(there)}\n${describe(back)}`,
  ),
];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function describe({ file, line, specifier }: Import): string {
  return `  ${file}:${line}  "${specifier}"`;
}
