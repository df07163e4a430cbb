import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..');
/** Compilers whose users the types are for. */
const COMPILERS = ['typescript-5', 'typescript-6', 'typescript'];
/** This Node, and an older one if its path is given. */
const NODES = [process.execPath, process.env.CLIENT_NODE].filter((path) => path !== undefined);
const RESOLUTIONS = [
  ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ['--module', 'esnext', '--moduleResolution', 'bundler'],
];

let project: string;

/** Packs the package as npm gets it, and installs it into an empty project. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'gleaner-package-'));
  const { stdout } = await run('pnpm', ['pack', '--json', '--pack-destination', project], { cwd: PACKAGE });
  const { filename } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { filename: string };
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
  await run('pnpm', ['add', '--offline', '--ignore-workspace', filename], { cwd: project });
  await cp(join(import.meta.dirname, 'support/program.ts.txt'), join(project, 'program.ts'));
});

/** Compiles the program with the strictest settings; throws an error with the compiler's output when it is rejected. */
async function compile(compiler: string, flags: readonly string[]): Promise<void> {
  const tsc = join(PACKAGE, 'node_modules', compiler, 'bin/tsc');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const environment = ['--target', 'es2022', '--lib', 'es2023,dom'];
  await run(process.execPath, [tsc, ...strict, ...environment, ...flags, 'program.ts'], {
    cwd: project,
  }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(`${compiler} rejects the program: ${stdout}`);
  });
}

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the published package', () => {
  it('has no dependencies, and none of the schemas', async () => {
    const installed = join(project, 'node_modules/@gleaner/client');
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(JSON.stringify(manifest.exports)).not.toContain('src/');
    const { stdout } = await run('grep', [
      '-rlE',
      'typebox|ajv|@gleaner/contracts',
      join(installed, 'dist'),
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('has its README and the license, which pnpm takes from the workspace', async () => {
    const installed = join(project, 'node_modules/@gleaner/client');
    expect(await readFile(join(installed, 'README.md'), 'utf8')).toMatch(/^# @gleaner\/client\n/);
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License');
  });

  it.each(COMPILERS)('has types that a strict compiler accepts (%s)', async (compiler) => {
    for (const resolution of RESOLUTIONS) await compile(compiler, [...resolution, '--noEmit']);
  });

  it('works in a program outside of this workspace', async () => {
    await using service = await startService((response, { path }) => {
      if (path === '/v1/scrape')
        return sendJson(response, 200, { success: true, data: { title: 'Hi', tags: ['a'] } });
      if (path === '/v1/jobs') return sendJson(response, 202, { success: true, job: jobOf('pending', 0, 1) });
      if (path.endsWith('/events')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.end(`event: end\nid: 1\ndata: ${JSON.stringify(jobOf('completed', 1, 1))}\n\n`);
      }
      response.end('{"url":"https://a.test/","data":{"title":"Hi"}}\n');
    });
    await compile('typescript', RESOLUTIONS[0] ?? []);
    for (const node of NODES) {
      const { stdout } = await run(node, ['program.js'], {
        cwd: project,
        env: { ...process.env, GLEANER_URL: service.url },
      });
      expect([node, ...stdout.trim().split('\n')]).toEqual([node, 'HI a', 'completed', 'https://a.test/ hi']);
    }
  });
});
