import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { RestartedProcess } from './restarted-process.ts';

it('is ready from its message until it ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-restarted-'));
  const entry = join(folder, 'program.mjs');
  await writeFile(entry, `process.send('ready'); process.once('SIGTERM', () => process.exit());`);
  const program = new RestartedProcess({
    name: 'program',
    entry,
    env: {},
    reach: 'process',
    logFile: join(folder, 'program.log'),
  });
  expect(program.isReady).toBe(false);
  await program.start();
  expect(program.isReady).toBe(true);
  await program.stop();
  expect(program.isReady).toBe(false);
  await rm(folder, { recursive: true });
});
