/** Walks through a data file in a process of its own, which LMDB ends where a page has impossible contents. */
import { open } from 'lmdb';
import { MAP_BYTES } from './lmdb-file.ts';

const [path = '', ...tables] = process.argv.slice(2);
const options = { keyEncoding: 'binary', encoding: 'binary' } as const;
const root = open({ path, maxDbs: tables.length + 1, mapSize: MAP_BYTES, noSync: true, ...options });
for (const name of tables) {
  const table = root.openDB<Buffer, Buffer>({ name, ...options });
  const { entryCount } = table.getStats() as { entryCount: number };
  const found = table.getKeysCount({});
  if (found !== entryCount)
    throw new Error(`${entryCount - found} of the ${entryCount} entries of ${name} are missing`);
}
await root.close();
