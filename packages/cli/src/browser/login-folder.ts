import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'gleaner-login-';

/**
 * Creates a folder for a browser in which a person signs in, and removes those that killed command lines have left: they hold
 * sessions.
 */
export async function createLoginFolder(parent = tmpdir()): Promise<string> {
  const names = await readdir(parent).catch(() => []);
  await Promise.all(
    names.filter(isLeft).map((name) =>
      // Another user's folder cannot be removed, and need not be.
      rm(join(parent, name), { recursive: true, force: true, maxRetries: 2 }).catch(() => {}),
    ),
  );
  return await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

/** Returns true for the folder of a process that has ended. */
function isLeft(name: string): boolean {
  const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
