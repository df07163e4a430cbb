import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the bytes that the files of a folder take. */
export async function sizeOf(folder: string): Promise<number> {
  const sizes = (await filesIn(folder)).map((path) =>
    stat(path).then(
      ({ blocks }) => blocks * 512,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the paths of all files below a folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
