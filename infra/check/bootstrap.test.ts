import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const VERSION = '26.99.0';
const PACKAGE = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-bootstrap-'));
  await mkdir(join(folder, 'infra'));
  await cp(resolve(import.meta.dirname, '../bootstrap.mjs'), join(folder, 'infra/bootstrap.mjs'));
  await writeFile(join(folder, '.node-version'), `${VERSION}\n`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ packageManager: `pnpm@${VERSION}` }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PACKAGE_NAME = `${PACKAGE}-${process.platform}-${process.arch}`;
const PNPM_NAME = `@pnpm/exe.${process.platform}-${process.arch}`;

/** Puts a program in the place of the fetched Node, and another one in that of pnpm. */
async function fetchNode(program: string, pnpm = 'exit 1'): Promise<void> {
  const modules = join(folder, '.toolchain/node_modules');
  await writeProgram(join(modules, PACKAGE_NAME, 'bin/node'), program);
  await writeProgram(join(modules, PNPM_NAME, 'pnpm'), pnpm);
  const packages = {
    [`node_modules/${PACKAGE_NAME}`]: { version: VERSION },
    [`node_modules/${PNPM_NAME}`]: { version: VERSION },
  };
  await writeFile(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
}

async function writeProgram(path: string, program: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
}

function start(env: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) {
  const args = [join(folder, 'infra/bootstrap.mjs'), ...flags, 'x.ts'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, lines: stderr.split('\n') };
}

describe('a fetch', () => {
  let withNpm: Record<string, string>;
  const npmIs = (program: string) => writeProgram(join(folder, 'bin/npm'), program);
  beforeEach(() => {
    withNpm = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  });

  it('is made again where a package lies there half installed', async () => {
    await writeProgram(join(folder, '.toolchain/node_modules', PACKAGE_NAME, 'bin/node'), 'exit 1');
    await npmIs('echo "npm $1" >&2; exit 7');
    const { status, lines } = start(withNpm);
    expect(status).toBe(1);
    expect(lines.slice(0, 3)).toEqual([
      `gleaner: fetching ${PNPM_NAME} ${VERSION} and ${PACKAGE_NAME} ${VERSION} from the npm registry`,
      'npm install',
      'gleaner: The dependencies could not be installed; the reason is above.',
    ]);
  });

  it('that stalls is attempted again, and given up in the end', async () => {
    await npmIs("trap '' TERM; exec sleep 600");
    const { status, lines } = start({ ...withNpm, npm_config_fetch_timeout: '100' });
    expect(status).toBe(1);
    expect(lines.slice(1)).toEqual([
      ...Array(3).fill('gleaner: npm has not finished within 0.1 seconds'),
      'gleaner: npm did not finish at any attempt.',
      expect.stringContaining('npm config set fetch-timeout'),
      '',
    ]);
  });
});

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

describe('the dependencies of production', () => {
  const installs = () => {
    const { status, lines } = start({}, ['--production']);
    expect(status).toBe(0);
    return lines.filter((line) => line.startsWith('pnpm '));
  };
  beforeEach(async () => {
    await fetchNode('exit 0', 'echo "pnpm $*" >&2');
    await mkdir(join(folder, 'node_modules'));
    for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) await writeFile(join(folder, file), '');
  });

  it('are without what builds the console where a release brings it', async () => {
    const ready = join(folder, 'packages/console/ready');
    await mkdir(ready, { recursive: true });
    expect(installs()).toEqual([
      expect.stringMatching(/ --prod .*--filter=!@gleaner\/console --trust-lockfile/),
    ]);
    expect(installs()).toEqual([]);
    await rm(ready, { recursive: true });
    expect(installs()).toEqual([expect.not.stringMatching(/console|--trust-lockfile/)]);
    await mkdir(ready);
    expect(installs()).toEqual([]);
  });
});
