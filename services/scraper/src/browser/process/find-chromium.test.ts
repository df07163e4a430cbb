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

/** Writes a program to be run instead of a browser. */
async function program(name: string, script: string, mode = 0o755): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, mode);
  return path;
}

describe('findChromium', () => {
  it('uses the configured binary', async () => {
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
  ])('explains why a binary that %s cannot be used, and what to install', async (_what, make, words) => {
    await expect(findChromium(await make())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining(words),
      suggestion: expect.stringContaining('apt-get install'),
    });
  });
});
