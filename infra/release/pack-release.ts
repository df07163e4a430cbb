import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesOf, packServer } from './pack-server.ts';

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

/** Everything that a built console is made of. */
const CONSOLE_SOURCES = ['packages/console', 'packages/client/src', 'pnpm-lock.yaml'];

/**
 * Writes everything of a release but its images to a folder: the packages for npm in \`npm/\` and for PyPI in \`pypi/\`, the
 * sources with a ready-built console, the software bill of materials, and the checksums of all. Returns the files.
 */
export function packRelease(folder: string): string[] {
  requireCommitted(CONSOLE_SOURCES);
  const npm = join(folder, 'npm');
  const pypi = join(folder, 'pypi');
  for (const each of [npm, pypi]) {
    mkdirSync(each, { recursive: true });
    if (readdirSync(each).length > 0) throw new Error(`${each} is not empty: name a new folder.`);
  }
  for (const name of NPM_PACKAGES) run('pnpm', ['--filter', name, 'pack', '--pack-destination', npm], ROOT);
  run('python3', ['-c', PYTHON_BUILD, pypi], join(ROOT, 'packages/client-python'));
  packServer(folder);
  const sbom = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  run('pnpm', ['-r', '--prod', 'sbom', ...sbom, '--out', join(folder, 'gleaner.cdx.json')], ROOT);
  const files = filesOf(folder);
  const sums = files.map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return files;
}

/** The sources of a release are those of a commit, and its console must be built of the same. */
function requireCommitted(paths: readonly string[]): void {
  const status = ['status', '--porcelain', '--', ...paths];
  const changed = execFileSync('git', status, { cwd: ROOT, encoding: 'utf8' });
  if (changed !== '') throw new Error(`Commit the changes of the console first:\n${changed}`);
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
