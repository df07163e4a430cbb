import { mkdir, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogFile } from './log-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-logs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a log file', () => {
  it('keeps what was written before it is closed', async () => {
    const path = join(folder, 'kept.log');
    const log = new LogFile(path, () => {});
    log.write(Buffer.from('one\n'));
    log.write(Buffer.from('two\n'));
    await log.close();
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('is not opened again once it is closed', async () => {
    const path = join(folder, 'closed.log');
    const log = new LogFile(path, () => {});
    log.write(Buffer.from('one\n'));
    await log.close();
    await rm(path);
    log.write(Buffer.from('late\n'));
    await log.close();
    expect(await readdir(folder)).not.toContain('closed.log');
  });

  it('is renamed when it is full, and only a few old ones stay', async () => {
    const path = join(folder, 'full.log');
    const log = new LogFile(path, () => {});
    for (let files = 0; files < 6; files += 1) {
      log.write(Buffer.alloc(11 * 1024 * 1024, `${files}`));
      await eventually(async () => expect(await newestContent(path)).toBe(`${files}`));
    }
    await log.close();
    const kept = (await readdir(folder)).filter((name) => name.startsWith('full.log'));
    expect(kept.sort()).toEqual(['full.log', 'full.log.1', 'full.log.2', 'full.log.3']);
  });

  it('drops lines while it cannot be written, reports it once, and goes on afterwards', async () => {
    const path = join(folder, 'blocked.log');
    const messages: string[] = [];
    await mkdir(path);
    const log = new LogFile(path, (message) => messages.push(message));
    await eventually(() => {
      log.write(Buffer.from('lost\n'));
      expect(messages).toHaveLength(1);
    });
    expect(messages[0]).toContain(`cannot write ${path}`);
    await rmdir(path);
    await eventually(() => {
      log.write(Buffer.from('written\n'));
      expect(messages).toEqual([expect.anything(), `writes ${path} again`]);
    });
    await log.close();
    expect(await readFile(path, 'utf8')).toMatch(/^(written\n)+$/);
  });
});

/** The first character of the newest renamed file. */
async function newestContent(path: string): Promise<string> {
  return (await readFile(`${path}.1`, 'utf8')).slice(0, 1);
}
