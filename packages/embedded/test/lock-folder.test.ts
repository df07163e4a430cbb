import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startAmqpServer, startMongoServer } from '../src/index.ts';
import { FolderInUseError, lockFolder } from '../src/lock-folder.ts';

const SCRIPT = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));
/** Starts a command in process and network namespaces of its own, as a container has them. */
const UNSHARE = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--fork', '--kill-child'];
/** Machines that do not permit namespaces run the same test with an ordinary process. */
const APART = spawnSync(UNSHARE[0] ?? '', [...UNSHARE.slice(1), 'true']).status === 0 ? UNSHARE : [];

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-lock-'));
});
afterEach(async () => {
  await kill();
  await rm(folder, { recursive: true });
});

describe('lockFolder', () => {
  it('refuses a folder that a process in another namespace has locked, until that process is killed', async () => {
    expect(await lockInChild()).toBe('locked');
    expect(() => lockFolder(folder)).toThrow(FolderInUseError);
    expect(() => lockFolder(folder)).toThrow(`The data folder ${folder} is in use by another process`);
    await kill();
    // The process holding the lock is inside the namespace, and ends shortly after the command that made it.
    const lock = await eventually(() => lockFolder(folder));
    lock.release();
  });

  it('is seen by a process in another namespace', async () => {
    const lock = lockFolder(folder);
    expect(await lockInChild()).toContain('FolderInUseError');
    lock.release();
  });

  it('locks a folder once in a process, creates it, and leaves one file there', async () => {
    const inner = join(folder, 'a', 'b');
    const lock = lockFolder(inner);
    expect(() => lockFolder(inner)).toThrow(FolderInUseError);
    lock.release();
    lockFolder(inner).release();
    expect(await readdir(inner)).toEqual(['in-use.lock']);
  });
});

describe.each([
  ['broker', startAmqpServer],
  ['database', startMongoServer],
])('the embedded %s', (_, startServer) => {
  it('refuses a data folder that is in use, and unlocks it when it closes or cannot start', async () => {
    const server = await startServer({ dataDir: folder });
    await expect(startServer({ dataDir: folder })).rejects.toThrow(FolderInUseError);
    await server.close();
    await expect(startServer({ dataDir: folder, host: '192.0.2.1' })).rejects.toThrow('EADDRNOTAVAIL');
    await (await startServer({ dataDir: folder })).close();
  });
});

async function lockInChild(): Promise<string> {
  const command = [...APART, process.execPath, '--disable-warning=ExperimentalWarning', SCRIPT, folder];
  child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('the child has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
}

async function kill(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
