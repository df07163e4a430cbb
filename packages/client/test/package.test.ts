import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const run = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..');
const TSC = join(PACKAGE, 'node_modules/typescript/bin/tsc');

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

  it.each([
    ['nodenext', 'es2022', ['--lib', 'es2023,dom']],
    ['bundler', 'es2022', ['--module', 'esnext', '--lib', 'es2023,dom']],
  ])('has types that a strict compiler accepts (%s)', async (resolution, target, flags) => {
    const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
    const where = ['--moduleResolution', resolution, '--target', target, ...flags];
    const module = resolution === 'nodenext' ? ['--module', 'nodenext'] : [];
    await run(process.execPath, [TSC, ...strict, ...where, ...module, '--types', '', 'program.ts'], {
      cwd: project,
    });
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
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.ts'], {
      cwd: project,
      env: { ...process.env, GLEANER_URL: service.url },
    });
    expect(stdout.trim().split('\n')).toEqual(['HI a', 'completed', 'https://a.test/ hi']);
  });
});
