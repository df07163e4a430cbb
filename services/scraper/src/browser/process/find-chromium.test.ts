import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PACKAGE_DIR } from './chromium-versions.ts';
import { BUNDLED_CHROMIUM, describeChromium, findChromium } from './find-chromium.ts';

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

describe('describeChromium', () => {
  it('tells the version and the age of the configured binary', async () => {
    const path = await program('dated', 'echo Chromium 156.0.8078.108 built on Debian');
    const releasedAt = '2026-10-30T12:00:00.000Z';
    await utimes(path, new Date(releasedAt), new Date(releasedAt));
    expect(await describeChromium(path)).toEqual({ version: '156.0.8078.108', releasedAt });
  });

  it('knows when the bundled one was published (else: npm view @sparticuz/chromium time)', async () => {
    const { version } = JSON.parse(await readFile(join(PACKAGE_DIR, 'package.json'), 'utf8'));
    expect(await describeChromium(undefined)).toMatchObject({ version });
    const limits = await readFile(join(import.meta.dirname, '../../../../../docs/limits.md'), 'utf8');
    expect(limits).toContain(`version ${version} of ${BUNDLED_CHROMIUM.releasedAt.slice(0, 10)}`);
  });
});
