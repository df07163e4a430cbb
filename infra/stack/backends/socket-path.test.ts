import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openDataFolder } from '../folder/data-folder.ts';
import { chooseSocketPath } from './backends.ts';

it('has the same folder, closed to others, at each start where the path of the data is too long for a socket', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'socket-path-'));
  const dataFolder = await openDataFolder(join(parent, 'a'.repeat(100)));
  const path = await chooseSocketPath(dataFolder);
  try {
    expect(await chooseSocketPath(dataFolder)).toBe(path);
    expect(path.length).toBeLessThan(100);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  } finally {
    await dataFolder.release();
    await rm(dirname(path), { recursive: true });
    await rm(parent, { recursive: true });
  }
});
