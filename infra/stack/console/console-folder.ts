import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Folder of the built consoles. */
export const CONSOLE_CACHE = join(ROOT, 'node_modules/.cache/gleaner-console');

/** Folder of the console that a release brings, as infra/bootstrap.mjs knows it. */
const READY_CONSOLE = join(ROOT, 'packages/console/ready');

/** Everything that the built console is made of. */
const SOURCES = [
  'packages/console/{src/**,index.html,package.json,vite.config.ts,build.mjs}',
  'packages/client/src/**',
  'pnpm-lock.yaml',
];

/** Returns the folder of the console: the configured one, the one of a release, or the one for the present sources, built or not. */
export async function consoleFolder(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return resolve(configured);
  if (existsSync(READY_CONSOLE)) return READY_CONSOLE;
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
