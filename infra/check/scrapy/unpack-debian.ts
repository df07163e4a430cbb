import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LONGEST_MS = 600_000;
/** Python of Debian, for which its packages are built. */
const PYTHON = '/usr/bin/python3';

/** A Python with packages of Debian that are not installed. */
export interface DebianPython {
  readonly python: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Unpacks packages of Debian and their dependencies into a folder, but for those of this machine. Needs apt-get and the mirror of the
 * machine, and no root: lists, cache and locks are in the folder.
 */
export async function unpackDebian(packages: readonly string[], folder: string): Promise<DebianPython> {
  const state = join(folder, 'state');
  const cache = join(folder, 'cache');
  const root = join(folder, 'root');
  for (const each of [join(state, 'lists/partial'), join(cache, 'archives/partial'), root])
    await mkdir(each, { recursive: true });
  const options = [
    ...[`Dir::State=${state}`, 'Dir::State::status=/var/lib/dpkg/status', `Dir::Cache=${cache}`],
    ...['Debug::NoLocking=1', 'APT::Sandbox::User=', 'Acquire::Retries=3'],
  ].flatMap((option) => ['-o', option]);
  await command('apt-get', [...options, '-qq', 'update']);
  await command('apt-get', [
    ...[...options, '-qq', '-y', '--no-install-recommends', '--download-only', 'install'],
    ...packages,
  ]);
  const archives = join(cache, 'archives');
  for (const name of await readdir(archives))
    if (name.endsWith('.deb')) await command('dpkg-deb', ['-x', join(archives, name), root]);
  const { stdout: triplet } = await run('dpkg-architecture', ['-qDEB_HOST_MULTIARCH']).catch(() => ({
    stdout: '',
  }));
  const libraries = [`${root}/usr/lib/${triplet.trim() || 'x86_64-linux-gnu'}`, `${root}/lib`];
  return {
    python: PYTHON,
    env: {
      PYTHONPATH: `${root}/usr/lib/python3/dist-packages`,
      LD_LIBRARY_PATH: libraries.join(':'),
    },
  };
}

async function command(name: string, args: readonly string[]): Promise<void> {
  await run(name, args, {
    timeout: LONGEST_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
