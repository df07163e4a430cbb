import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restartDelayMs, SupervisedProcess } from './supervised-process.ts';

/** Starts well once and runs until it is stopped; each later start ends with a fatal line. */
const STARTS_ONCE = `
import { existsSync, writeFileSync } from 'node:fs';
const mark = process.env.MARK;
if (existsSync(mark)) {
  console.log(JSON.stringify({ level: 'fatal', msg: 'The port is taken.' }));
  process.exit(1);
}
writeFileSync(mark, '');
setInterval(() => {}, 1000);
process.send({ type: 'ready', ports: {} });
`;

/** Says for one service after the other that it is ready. */
const SHARED = `
const services = process.argv.slice(2);
setInterval(() => {
  const name = services.shift();
  if (name !== undefined) process.send({ type: 'ready', ports: { [name]: 1 } });
}, 100);
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-supervised-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the files that this process has open; none where the system does not list them. */
async function openFiles(): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  return await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
}

describe('a supervised process', () => {
  it('reports with each failed start why this one failed', async () => {
    const entry = join(folder, 'starts-once.mjs');
    await writeFile(entry, STARTS_ONCE);
    const messages: string[] = [];
    const child = new SupervisedProcess(
      { name: 'it', entry, env: { MARK: join(folder, 'mark') }, logFile: join(folder, 'log') },
      (message) => messages.push(message),
    );
    await child.start();
    process.kill(child.pid ?? 0, 'SIGKILL');
    const failures = () => messages.filter((message) => message.includes('ended while starting'));
    await eventually(() => expect(failures().length).toBeGreaterThanOrEqual(2));
    await child.stop();
    for (const failure of failures()) expect(failure.match(/The port is taken\./g)).toHaveLength(1);
  });
});

describe('a process that services share', () => {
  it('is ready when all of them are', async () => {
    const entry = join(folder, 'shared.mjs');
    await writeFile(entry, SHARED);
    const services = ['scheduler', 'notifier'];
    const child = new SupervisedProcess(
      { name: 'it', entry, env: {}, logFile: join(folder, 'shared.log'), services },
      () => undefined,
    );
    expect(child.ports).toBeUndefined();
    await child.start();
    expect(child.ports).toEqual([{ scheduler: 1 }, { notifier: 1 }]);
    await child.stop();
    expect(child.ports).toBeUndefined();
  });
});

describe('a process that crashes in native code', () => {
  it.each([
    ['process.abort()', 'killed by SIGABRT', true],
    ['process.exit(1)', 'exit code 1', false],
  ])('gives its advice after %s', async (code, reason, hasAdvice) => {
    const entry = join(folder, 'crashes.mjs');
    await writeFile(entry, code);
    const crashAdvice = 'A file may be damaged.';
    const logFile = join(folder, 'crash.log');
    const child = new SupervisedProcess(
      { name: 'it', entry, env: {}, logFile, crashAdvice },
      () => undefined,
    );
    const error = await child.start().catch(String);
    expect(error).toContain(reason);
    expect(String(error).includes(crashAdvice)).toBe(hasAdvice);
  });

  it('leaves no file open, and its last lines in the log', async () => {
    const entry = join(folder, 'fails.mjs');
    await writeFile(entry, "console.log('the last line'); process.exitCode = 1;");
    const logFile = join(folder, 'fails.log');
    const child = new SupervisedProcess({ name: 'it', entry, env: {}, logFile }, () => undefined);
    await child.start().catch(String);
    expect(await readFile(logFile, 'utf8')).toBe('the last line\n');
    expect(await openFiles()).not.toContain(logFile);
  });
});

describe('restartDelayMs', () => {
  it('restarts at once after the first failure, then waits longer each time, up to 10 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map(restartDelayMs)).toEqual([
      0, 0, 500, 1000, 2000, 4000, 8000, 10_000, 10_000,
    ]);
  });
});
