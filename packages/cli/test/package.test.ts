import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const PACKAGES = join(import.meta.dirname, '../..');

let project: string;

/** Lays the packed command line and client out as npm installs them. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'gleaner-package-'));
  const modules = join(project, 'node_modules');
  for (const [folder, name] of [
    ['cli', 'gleaner'],
    ['client', '@gleaner/client'],
  ] as const) {
    const env = { HOME: process.env.HOME ?? '' };
    const packed = await run('pnpm', ['pack', '--json', '--pack-destination', project], {
      cwd: join(PACKAGES, folder),
      env,
    });
    const { filename } = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('{'))) as { filename: string };
    await mkdir(join(modules, name), { recursive: true });
    await run('tar', ['-xzf', filename, '--strip-components=1', '-C', join(modules, name)]);
  }
  await symlink(join(PACKAGES, 'cli/node_modules/commander'), join(modules, 'commander'));
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the published command line', () => {
  it('depends on commander and on the client of its version, and on nothing of the service', async () => {
    const manifest = JSON.parse(await readFile(join(project, 'node_modules/gleaner/package.json'), 'utf8'));
    expect(manifest.dependencies).toEqual({
      '@gleaner/client': manifest.version,
      commander: expect.any(String),
    });
    expect(manifest.bin).toEqual({ gleaner: './dist/main.js' });
  });

  it('works outside of this workspace', async () => {
    const pagination = { limit: 20, offset: 0, total: 1, hasMore: false };
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs: [jobOf('running', 1)], pagination }),
    );
    const main = join(project, 'node_modules/gleaner/dist/main.js');
    const env = { ...service.env, NODE_COMPILE_CACHE: join(project, 'cache') };
    expect(await run(main, ['--version'], { env })).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    const { stdout, stderr } = await run(main, ['job', 'list'], { env, cwd: project });
    expect([JSON.parse(stdout), stderr]).toEqual([jobOf('running', 1), '']);
  });
});
