/** `npm run test:one -- <path> [jest options]`: runs the tests whose path begins so, quick or long, with the pinned Node. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const RUN = join(import.meta.dirname, 'jest/run.mjs');

const [path, ...options] = process.argv.slice(2);
const place = path === undefined ? undefined : findPackage(resolve(ROOT, path));
if (path === undefined || place === undefined) {
  console.error(
    'Name a test file, or the beginning of its path: npm run test:one -- packages/egress/src/policy',
  );
  process.exit(1);
}
const args = [RegExp.escape(resolve(ROOT, path)), ...setupOf(path), ...options];
const { status } = spawnSync(process.execPath, [RUN, ...args], { cwd: place, stdio: 'inherit' });
process.exitCode = status ?? 1;

/** Returns the folder of the package that a path belongs to, except the root. */
function findPackage(path: string): string | undefined {
  if (!path.startsWith(ROOT + sep)) return undefined;
  return existsSync(join(path, 'package.json')) ? path : findPackage(resolve(path, '..'));
}

/** Returns the options of the script that starts a stack for acceptance tests. */
function setupOf(file: string): readonly string[] {
  if (!relative(ROOT, resolve(ROOT, file)).startsWith('infra/acceptance')) return [];
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'infra/package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  return (scripts['test:acceptance'] ?? '').split(' ').filter((option) => option.startsWith('--'));
}
