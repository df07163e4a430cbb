import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const PROGRAM = resolve(import.meta.dirname, '../main.ts');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-stack-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('prints neither the key nor a link that signs in where others may read the output', async () => {
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
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  const keyFile = join(dataDir, 'api-key');
  const key = (await readFile(keyFile, 'utf8')).trim();
  expect(key).toMatch(/^gl_\w{20}/);
  expect(output).toContain(`$(cat ${keyFile})`);
  expect(output).toContain('/console/\n');
  expect(output).not.toContain(key);
  expect(output).not.toContain('#code=');
});
