import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildConsole } from './build-console.ts';
import { CONSOLE_CACHE, consoleFolder } from './console-folder.ts';

describe('buildConsole', () => {
  let home: string;
  let folder: string;
  let logFile: string;
  const said: string[] = [];
  const announce = (message: string) => said.push(message);
  const build = () => buildConsole(folder, logFile, announce, constants.priority.PRIORITY_NORMAL);

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gleaner-console-'));
    folder = join(home, 'consoles/abc');
    logFile = join(home, 'console.log');
    said.length = 0;
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('builds the console once', async () => {
    expect(await build().done).toBe(true);
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('<div id="root">');
    expect(existsSync(join(folder, 'index.html.br'))).toBe(true);
    expect(await readdir(join(home, 'consoles'))).toEqual(['abc']);
    const { mtimeMs } = await stat(join(folder, 'index.html'));
    expect(await build().done).toBe(true);
    expect((await stat(join(folder, 'index.html'))).mtimeMs).toBe(mtimeMs);
    expect(said).toEqual([]);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const building = build();
    building.stop();
    await building.done;
    expect(existsSync(folder)).toBe(false);
  });

  it('says why there is no console', async () => {
    await writeFile(join(home, 'consoles'), 'not a folder');
    expect(await build().done).toBe(false);
    expect(said).toEqual([expect.stringMatching(/^could not build the console: .*ENOTDIR|EEXIST/)]);
  });
});

describe('consoleFolder', () => {
  it('is the same for the same sources', async () => {
    const folder = await consoleFolder(undefined);
    expect(folder.startsWith(`${CONSOLE_CACHE}/`)).toBe(true);
    expect(await consoleFolder(undefined)).toBe(folder);
  });

  it('is the configured one, if there is one', async () => {
    expect(await consoleFolder('/console')).toBe('/console');
  });
});
