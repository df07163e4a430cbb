import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const VERSION = '26.99.0';
const PACKAGE = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-bootstrap-'));
  await mkdir(join(folder, 'infra'));
  await cp(resolve(import.meta.dirname, '../bootstrap.mjs'), join(folder, 'infra/bootstrap.mjs'));
  await writeFile(join(folder, '.node-version'), `${VERSION}\n`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Puts a program in the place of the fetched Node. */
async function fetchNode(program: string): Promise<void> {
  const name = join(folder, '.toolchain/node_modules', `${PACKAGE}-${process.platform}-${process.arch}`);
  await mkdir(join(name, 'bin'), { recursive: true });
  await writeFile(join(name, 'package.json'), JSON.stringify({ version: VERSION }));
  await writeFile(join(name, 'bin/node'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
}

function start() {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'infra/bootstrap.mjs'), 'x.ts'], {
    encoding: 'utf8',
  });
  return { status, lines: stderr.split('\n') };
}

describe('a fetched Node that does not run here', () => {
  it('is reported with the library to install', async () => {
    await fetchNode(
      'echo "node: error while loading shared libraries: libatomic.so.1: cannot open" >&2; exit 127',
    );
    expect(start()).toMatchObject({
      status: 1,
      lines: [
        expect.stringContaining(
          `Node ${VERSION} was fetched but does not run here: node: error while loading`,
        ),
        expect.stringContaining('apt-get install libatomic1'),
        '',
      ],
    });
  });

  it('is reported with what it needs where the reason is another one', async () => {
    await fetchNode("echo 'node: /lib/libc.so.6: version `GLIBC_2.28 not found' >&2; exit 1");
    expect(start()).toMatchObject({
      status: 1,
      lines: [expect.any(String), expect.stringContaining('glibc'), ''],
    });
  });
});
