import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** Packages that are published to npm. */
const NPM_PACKAGES = ['@gleaner/client', 'gleaner'];
const PYTHON_BUILD = `
import sys
if sys.version_info < (3, 11): sys.exit("The Python package is built with Python 3.11 or newer.")
import build_backend
build_backend.build_wheel(sys.argv[1])
build_backend.build_sdist(sys.argv[1])
`;

/**
 * Writes everything of a release but its images to a folder: the packages for npm in \`npm/\` and for PyPI in \`pypi/\`, the
 * software bill of materials, and the checksums of all. Returns the files.
 */
export function packRelease(folder: string): string[] {
  const npm = join(folder, 'npm');
  const pypi = join(folder, 'pypi');
  for (const each of [npm, pypi]) {
    mkdirSync(each, { recursive: true });
    if (readdirSync(each).length > 0) throw new Error(`${each} is not empty: name a new folder.`);
  }
  for (const name of NPM_PACKAGES) run('pnpm', ['--filter', name, 'pack', '--pack-destination', npm], ROOT);
  run('python3', ['-c', PYTHON_BUILD, pypi], join(ROOT, 'packages/client-python'));
  const sbom = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  run('pnpm', ['-r', '--prod', 'sbom', ...sbom, '--out', join(folder, 'gleaner.cdx.json')], ROOT);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
  const sums = files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return files;
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
