import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';

const PROGRAM = resolve(import.meta.dirname, '../main.ts');

it('ends with an error once its data folder is gone', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gleaner-stack-'));
  const dataDir = join(parent, 'data');
  const { PATH, HOME } = process.env;
  const freePorts = { PORT: '0', DEMO_PORT: '0', METRICS_PORT: '0' };
  const env = { PATH, HOME, ...freePorts, GLEANER_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close');
  try {
    await eventually(() => expect(output).toContain('Ctrl-C stops everything.'));
    // In one step, so that nothing is written into it in between.
    await rename(dataDir, join(parent, 'elsewhere'));
    const [code] = await ended;
    expect(code).toBe(1);
    expect(output).toContain(`The data folder ${dataDir} was deleted, moved or replaced`);
    expect(output).toContain('Put it back, or restore a backup');
    expect(output).toContain('gleaner: stopped');
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(parent, { recursive: true, force: true });
  }
}, 600_000);
