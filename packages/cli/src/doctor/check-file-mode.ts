import { stat } from 'node:fs/promises';
import type { Check } from './check.ts';

/** Checks that only its owner can read a file with a key; nothing where there is no such file. */
export async function* checkFileMode(file: string): AsyncGenerator<Check> {
  const found = await stat(file).catch(() => undefined);
  if (!found || process.platform === 'win32') return;
  const isPrivate = (found.mode & 0o077) === 0;
  yield isPrivate
    ? { id: 'key-file', state: 'ok', found: `Only its owner can read ${file}.` }
    : {
        id: 'key-file',
        state: 'failed',
        found: `Others can read ${file}.`,
        remedy: `Run: chmod 600 ${file}`,
      };
}
