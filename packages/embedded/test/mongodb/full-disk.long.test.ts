import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openKeyValueStore } from '../../src/mongodb/store/key-value-store.ts';

const SCRIPT = fileURLToPath(new URL('./full-disk-writer.ts', import.meta.url));
/** In the units of `ulimit -f`, half a kilobyte or a kilobyte each depending on the shell. */
const LIMIT = 4000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-mongodb-full-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A limit on the size of files stands for a full disk: it needs no privileges, and cuts LMDB's writes short alike. */
it('answers OutOfDiskSpace on a full disk, keeps what was written, and writes again once there is space', async () => {
  const command = `ulimit -S -f ${LIMIT}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, SCRIPT, folder]);
  const { written, refused, afterwards, kept } = JSON.parse(stdout);
  const outOfDiskSpace = {
    code: 14031,
    codeName: 'OutOfDiskSpace',
    message: expect.stringContaining(`The disk of ${folder} is full`),
  };
  expect(refused).toEqual(outOfDiskSpace);
  expect(afterwards).toEqual(outOfDiskSpace);
  expect(written).toBeGreaterThan(0);
  expect(kept).toBe(written);

  const store = await openKeyValueStore(folder, {
    flushIntervalMs: 100,
    onFlushError: (error) => {
      throw error;
    },
  });
  expect([...store.records.getKeys({})]).toHaveLength(written);
  store.write(() => store.records.put(Buffer.from('after'), Buffer.alloc(50_000)));
  await store.flush();
  await store.close();
});
