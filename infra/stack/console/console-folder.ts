import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Folder of the built consoles. */
export const CONSOLE_CACHE = join(ROOT, 'node_modules/.cache/gleaner-console');

/** Everything that the built console is made of. */
const SOURCES = [
  'packages/console/{src/**,index.html,package.json,vite.config.ts,build.mjs}',
  'packages/client/src/**',
  'pnpm-lock.yaml',
];

/** Returns the folder of the console that is built from the present sources, whether it is there or not. */
export async function consoleFolder(): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: ROOT, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  }
  const contents = await Promise.all(files.sort().map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]?.slice(ROOT.length)} ${content.length}\n`).update(content);
  }
  return join(CONSOLE_CACHE, hash.digest('hex').slice(0, 16));
}
