import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const INSTALL_WITHIN_MS = 600_000;

/** Another version of Gleaner, with its dependencies installed. */
export interface BroughtVersion extends AsyncDisposable {
  readonly folder: string;
}

/** Brings a version: a folder that it is installed in, or a commit or tag of this repository, which is checked out elsewhere. */
export async function bringVersion(version: string): Promise<BroughtVersion> {
  if (existsSync(join(version, 'services/gateway/src/main.ts'))) {
    return { folder: resolve(version), [Symbol.asyncDispose]: async () => {} };
  }
  const parent = await mkdtemp(join(tmpdir(), 'gleaner-version-'));
  const folder = join(parent, 'gleaner');
  const remove = async () => {
    await run('git', ['worktree', 'remove', '--force', folder], ROOT).catch(() => {});
    await rm(parent, { recursive: true, force: true });
  };
  try {
    await run('git', ['worktree', 'add', '--detach', folder, `${version}^{commit}`], ROOT);
    await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn'], folder);
    return { folder, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const signal = AbortSignal.timeout(INSTALL_WITHIN_MS);
  const env = { ...process.env, CI: 'true' };
  const child = spawn(command, args, { cwd, env, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = await once(child, 'close');
  const text = output.join('').slice(-2000);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed (${code}):\n${text}`);
}
