import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createLoginFolder } from './login-folder.ts';

it('is new, and takes the place of those whose process has ended', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'login-folders-'));
  try {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    for (const name of [`gleaner-login-${ended}-a`, `gleaner-login-${process.pid}-b`, 'another'])
      await mkdir(join(parent, name, 'Default'), { recursive: true });
    const folder = await createLoginFolder(parent);
    const left = ['another', `gleaner-login-${process.pid}-b`, basename(folder)];
    expect((await readdir(parent)).sort()).toEqual(left.sort());
  } finally {
    await rm(parent, { recursive: true });
  }
});
