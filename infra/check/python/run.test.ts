import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const RUN = join(import.meta.dirname, 'run.mjs');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-python-suite-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the suite of an empty package with only this folder on the path, and returns what it prints and its tally. */
function runSuite(): Promise<{ printed: string; tally: unknown }> {
  return new Promise((done, fail) => {
    execFile(process.execPath, [RUN], { cwd: folder, env: { PATH: folder } }, (error, _stdout, printed) => {
      if (!error) return fail(new Error('The suite has passed.'));
      readFile(join(folder, '.results/test.json'), 'utf8').then(
        (text) => done({ printed, tally: JSON.parse(text) }),
        fail,
      );
    });
  });
}

describe('the suite of a package in Python', () => {
  it('fails with advice on a machine without Python', async () => {
    const { printed, tally } = await runSuite();
    expect(printed).toContain('need python3 3.9 or newer; this machine has none. Install it');
    expect(tally).toEqual({ passed: 0, failed: 1, failures: [expect.stringContaining('apt-get install')] });
  });

  it('fails with advice on a machine whose Python is too old', async () => {
    await writeFile(join(folder, 'python3'), '#!/bin/sh\necho 3.8\n');
    await chmod(join(folder, 'python3'), 0o755);
    expect((await runSuite()).printed).toContain('this machine has 3.8');
  });
});
