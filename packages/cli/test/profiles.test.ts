import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const USAGE = { used: 1, reserved: 0, remaining: null, byDay: [], byOperation: {}, from: '', to: '' };
const startUsage = () =>
  startService((response, { headers }) => {
    const isKnown = headers.authorization === 'Bearer gl_known';
    const error = {
      code: 'UNAUTHORIZED',
      source: 'api',
      message: 'The API key is not known.',
      requestId: 'req_1',
    };
    sendJson(response, isKnown ? 200 : 401, isKnown ? { usage: USAGE } : { error });
  });

describe('profiles', () => {
  it('are kept by login, used by every command, listed, and removed by logout', async () => {
    await using service = await startUsage();
    const options = { env: { XDG_CONFIG_HOME: folder }, cwd: folder };
    const login = ['login', '--url', service.url, '--key-file', '-'];
    expect(await runGleaner(login, { ...options, input: 'gl_wrong\n' })).toMatchObject({ code: 4 });
    expect(await runGleaner(login, { ...options, input: 'gl_known\r\n' })).toMatchObject({ code: 0 });
    const file = join(folder, 'gleaner/config.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      current: 'default',
      profiles: { default: { url: service.url, apiKey: 'gl_known' } },
    });
    expect(await runGleaner(['usage'], options)).toMatchObject({ code: 0 });
    const { stdout } = await runGleaner(['profiles'], options);
    expect(JSON.parse(stdout)).toEqual({ name: 'default', url: service.url, isCurrent: true });
    expect(await runGleaner(['logout'], options)).toMatchObject({ code: 0 });
    expect(await runGleaner(['usage'], options)).toMatchObject({ code: 4 });
  });

  it('in a file that is not JSON are named with the file', async () => {
    await mkdir(join(folder, 'bad/gleaner'), { recursive: true });
    await writeFile(join(folder, 'bad/gleaner/config.json'), '{');
    const { code, stderr } = await runGleaner(['usage'], { env: { XDG_CONFIG_HOME: join(folder, 'bad') } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('bad/gleaner/config.json is not valid JSON')]);
  });
});

describe('a stack of npm start', () => {
  it('is found from every folder below its own, while it runs', async () => {
    await using service = await startUsage();
    const stack = join(folder, 'stack');
    await mkdir(join(stack, '.gleaner'), { recursive: true });
    await mkdir(join(stack, 'a/b'), { recursive: true });
    const running = join(stack, '.gleaner/running.json');
    await writeFile(join(stack, '.gleaner/api-key'), 'gl_known\n', { mode: 0o600 });
    await writeFile(running, JSON.stringify({ pid: process.pid, url: service.url, mongodbUri: '' }));
    expect(await runGleaner(['usage'], { cwd: join(stack, 'a/b') })).toMatchObject({ code: 0 });

    // As npm runs a script of the stack's folder that was called elsewhere: files are relative to the caller's folder.
    const npm = { npm_lifecycle_event: 'gleaner', INIT_CWD: folder };
    const args = ['usage', '-o', 'usage.json'];
    expect(await runGleaner(args, { cwd: stack, env: npm })).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(folder, 'usage.json'), 'utf8'))).toMatchObject({ used: 1 });

    const doctor = await runGleaner(['doctor', '--format', 'table'], { cwd: stack });
    expect(doctor.stdout).toContain(`✓ The service is ${service.url} (from ${stack}/.gleaner)`);
    await chmod(join(stack, '.gleaner/api-key'), 0o644);
    const open = await runGleaner(['doctor', '--format', 'table'], { cwd: stack });
    expect(open.code).toBe(1);
    expect(open.stdout).toContain(`✗ Others can read ${stack}/.gleaner/api-key.\n    Run: chmod 600`);

    await writeFile(running, JSON.stringify({ pid: 2 ** 22 + 1, url: service.url, mongodbUri: '' }));
    const { code, stderr } = await runGleaner(['usage'], { cwd: stack });
    expect(code).toBe(1);
    expect(stderr).toContain(`The Gleaner of ${stack}/.gleaner is not running.`);
    expect(stderr).toContain('npm start');
  });

  it('is left out where another user could have put it', async () => {
    await using service = await startUsage();
    const stack = join(folder, 'open/.gleaner');
    await mkdir(join(folder, 'open/below'), { recursive: true });
    await mkdir(stack, { mode: 0o700 });
    await writeFile(join(stack, 'api-key'), 'gl_known\n', { mode: 0o600 });
    const running = JSON.stringify({ pid: process.pid, url: service.url });
    await writeFile(join(stack, 'running.json'), running, { mode: 0o600 });
    const usage = () => runGleaner(['usage'], { cwd: join(folder, 'open/below') });
    expect((await usage()).code).toBe(0);
    for (const mode of [0o777, 0o720]) {
      await chmod(stack, mode);
      const { code, stderr } = await usage();
      expect([code, stderr]).toEqual([4, expect.stringContaining(`${stack} was left out`)]);
    }
    expect(await runGleaner(['usage'], { cwd: folder, env: { GLEANER_DATA_DIR: stack } })).toMatchObject({
      code: 0,
    });
    await chmod(stack, 0o700);
    await chmod(join(stack, 'api-key'), 0o606);
    expect((await usage()).code).toBe(4);
    await chmod(join(stack, 'api-key'), 0o600);
    if (process.getuid?.() !== 0) return;
    await chown(stack, 12_345, 12_345);
    expect((await usage()).code).toBe(4);
    expect(service.received).toHaveLength(2);
  });
});
