import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from './find-chromium.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-chromium-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A program in the place of a browser. */
async function program(name: string, script: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, mode);
  return path;
}

describe('findChromium', () => {
  it('takes the binary that is configured', async () => {
    const path = await program('good', 'echo Chromium 156');
    const prepare = await findChromium(path);
    expect(await prepare(folder)).toEqual({ path, env: {}, version: '156' });
  });

  it.each([
    ['does not exist', async () => join(folder, 'nowhere'), 'does not exist'],
    [
      'lacks a library',
      () => program('bare', 'echo "x: error while loading shared libraries: libnss3.so: no" >&2; exit 127'),
      'libnss3.so is missing',
    ],
    ['does not run', () => program('broken', 'echo "no display" >&2; exit 1'), 'no display'],
  ])('says of a binary that %s what is wrong, and what to do', async (_what, make, words) => {
    await expect(findChromium(await make())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(words),
      suggestion: expect.stringContaining('apt-get install'),
    });
  });
});
