import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { startMongoServer } from '../../src/index.ts';

const DOCUMENTS = 20;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-unclean-'));
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ i }));
  await onCollection((collection) => collection.insertMany(documents));
  // It is removed by a close, and left behind by a process that ends without one.
  await writeFile(join(folder, 'open'), '');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a database whose process ended without a close', () => {
  it('names a document that is broken, and opens nothing', async () => {
    const dataFile = join(folder, 'data.mdb');
    const bytes = await readFile(dataFile);
    // The type of a document's first field, which is followed by its name.
    const field = Buffer.from('\x07_id\0', 'latin1');
    for (let at = bytes.indexOf(field); at !== -1; at = bytes.indexOf(field, at)) bytes[at] = 0x55;
    await writeFile(dataFile, bytes);
    await expect(countDocuments()).rejects.toThrow(
      /data\.mdb is damaged: document \d+ of test\.c cannot be read .*npm run backup -- restore/,
    );
    expect(await openFiles()).toEqual([]);
    await expect(stat(join(folder, 'open'))).resolves.toBeDefined();
  });

  it('starts if all documents are sound', async () => {
    expect(await countDocuments()).toBe(DOCUMENTS);
    await expect(stat(join(folder, 'open'))).rejects.toThrow('ENOENT');
  });
});

async function onCollection<Result>(work: (collection: Collection) => Promise<Result>): Promise<Result> {
  const server = await startMongoServer({ dataDir: folder });
  const client = await MongoClient.connect(server.uri);
  try {
    return await work(client.db('test').collection('c'));
  } finally {
    await client.close();
    await server.close();
  }
}

function countDocuments(): Promise<number> {
  return onCollection((collection) => collection.countDocuments());
}

/** Returns the files of the folder that this process has open; macOS does not tell. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(folder));
}
