import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { open } from 'lmdb';
import { PAGE_BYTES } from './checkpoint.ts';
import { openCheckpoints } from './checkpoints.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-checkpoints-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('lets LMDB reuse the pages of older checkpoints, also of two without a write between them', async () => {
  const root = open({ path: folder, encoding: 'binary', pageSize: PAGE_BYTES, noSync: true });
  const checkpoints = await openCheckpoints(folder, root, 'boot');
  const value = Buffer.alloc(100 * PAGE_BYTES);
  for (let round = 0; round < 50; round++) {
    if (round % 2 === 0) root.putSync('k', value.fill(round));
    await checkpoints.begin().save(round);
  }
  await checkpoints.close();
  await root.close();
  const { size } = await stat(join(folder, 'data.mdb'));
  expect(size).toBeLessThan(10 * value.length);
});
