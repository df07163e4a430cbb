/** Loads the modules of every service, so that NODE_COMPILE_CACHE holds them all; each service only prints its help. */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const SERVICES_FOLDER = resolve(import.meta.dirname, '../../../services');

process.argv.push('--help');
for (const service of await readdir(SERVICES_FOLDER)) {
  await import(join(SERVICES_FOLDER, service, 'src/main.ts'));
}
// Modules that services load only when they connect, and the embedded servers.
for (const name of ['@gleaner/storage', '@gleaner/broker', '@gleaner/embedded']) await import(name);
