import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const CLI = join(import.meta.dirname, '..');

let project: string;

/** Lays the packed command line out as npm installs it. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'gleaner-package-'));
  const folder = join(project, 'node_modules/gleaner');
  const env = { HOME: process.env.HOME ?? '' };
  const packed = await run('pnpm', ['pack', '--json', '--pack-destination', project], { cwd: CLI, env });
  const { filename } = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('{'))) as { filename: string };
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', filename, '--strip-components=1', '-C', folder]);
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the published command line', () => {
  it('depends on nothing, and names what it contains', async () => {
    const folder = join(project, 'node_modules/gleaner');
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.bin).toEqual({ gleaner: './bin/main.js' });
    const licenses = await readFile(join(folder, 'licenses.txt'), 'utf8');
    for (const name of ['commander', '@modelcontextprotocol/server', 'zod']) {
      expect(licenses).toMatch(new RegExp(`^${name} [0-9.]+ \\(.+\\)$`, 'm'));
    }
  });

  it('has a page for npm, and the license', async () => {
    const folder = join(project, 'node_modules/gleaner');
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toMatch(/^# gleaner\n/);
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
  });

  it('works outside of this workspace', async () => {
    const pagination = { limit: 20, offset: 0, total: 1, hasMore: false };
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs: [jobOf('running', 1)], pagination }),
    );
    const main = join(project, 'node_modules/gleaner/bin/main.js');
    const { version } = JSON.parse(await readFile(join(CLI, 'package.json'), 'utf8'));
    const env = { ...service.env, NODE_COMPILE_CACHE: join(project, 'cache') };
    expect(await run(main, ['--version'], { env })).toMatchObject({ code: 0, stdout: `${version}\n` });
    const { stdout, stderr } = await run(main, ['job', 'list'], { env, cwd: project });
    expect([JSON.parse(stdout), stderr]).toEqual([jobOf('running', 1), '']);
  });

  it.each([
    ['the version', ['main.js'], 2_000],
    ['a scrape', ['main.js', 'run-command-line.js', 'scrape.js', 'src.js'], 285_000],
  ])('loads no more than it needs for %s', async (_what, entries, maxBytes) => {
    const folder = join(project, 'node_modules/gleaner/bin');
    const loaded = new Map<string, number>();
    const load = async (file: string): Promise<void> => {
      if (loaded.has(file)) return;
      const source = await readFile(join(folder, file), 'utf8');
      loaded.set(file, source.length);
      for (const [, next = ''] of source.matchAll(/^(?:import|export) .*?"\.\/(.+?)";$/gm)) await load(next);
    };
    for (const entry of entries) await load(entry);
    expect([...loaded.keys()].filter((file) => file.startsWith('mcp'))).toEqual([]);
    expect([...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(maxBytes);
  });

  it('serves agents', async () => {
    await using service = await startService((response) => {
      const error = {
        code: 'UNAUTHORIZED',
        source: 'api',
        message: 'The API key is not known.',
        requestId: 'r',
      };
      sendJson(response, 401, { error });
    });
    const main = join(project, 'node_modules/gleaner/bin/main.js');
    const { code, stdout, stderr } = await run(main, ['mcp'], { env: service.env, cwd: project });
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('The API key is not known.')]);
  });
});
