import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SupervisedProcess } from './supervised-process.ts';

/** Runs well once, until it is told to end; whenever it is started again it ends with these words. */
const RUNS_ONCE = `
import { existsSync, writeFileSync } from 'node:fs';
const mark = process.env.MARK;
if (existsSync(mark)) {
  console.log(JSON.stringify({ level: 'fatal', msg: 'The port is taken.' }));
  process.exit(1);
}
writeFileSync(mark, '');
setInterval(() => {}, 1000);
process.send({ type: 'ready' });
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-supervised-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a process that is kept running', () => {
  it('says with each start that fails why this one did', async () => {
    const entry = join(folder, 'runs-once.mjs');
    await writeFile(entry, RUNS_ONCE);
    const said: string[] = [];
    const child = new SupervisedProcess(
      { name: 'it', entry, env: { MARK: join(folder, 'mark') }, logFile: join(folder, 'log') },
      (message) => said.push(message),
    );
    await child.start();
    process.kill(child.pid ?? 0, 'SIGKILL');
    const failures = () => said.filter((message) => message.includes('ended while starting'));
    await eventually(() => expect(failures().length).toBeGreaterThanOrEqual(2));
    await child.stop();
    for (const failure of failures()) expect(failure.match(/The port is taken\./g)).toHaveLength(1);
  });
});
