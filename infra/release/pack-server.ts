import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { readVersions } from './versions.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Writes the sources of the last commit with the console built into `packages/console/ready`, so that `npm start` installs
 * nothing that builds it. Returns the file.
 */
export function packServer(folder: string): string {
  const version = readVersions()[0]?.version;
  const root = `gleaner-${version}`;
  const archive = join(folder, `gleaner-server-${version}.tar.gz`);
  const built = mkdtempSync(join(tmpdir(), 'gleaner-console-'));
  try {
    run(process.execPath, ['packages/console/build.mjs', built]);
    // A file goes where the prefix before it says; the last prefix is that of the sources.
    const added = filesOf(built).flatMap((file) => [
      `--prefix=${join(root, 'packages/console/ready', dirname(file))}/`,
      `--add-file=${join(built, file)}`,
    ]);
    run('git', ['archive', `--output=${archive}`, ...added, `--prefix=${root}/`, 'HEAD']);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  return archive;
}

/** Returns the files below a folder, by their paths in it. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
