import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { packServer } from './pack-server.ts';

it('packs the sources with a console that needs no build', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gleaner-release-')));
  try {
    execFileSync('tar', ['-xzf', packServer(folder), '-C', folder]);
    const [root = ''] = (await readdir(folder)).filter((name) => !name.endsWith('.tar.gz'));
    const sources = join(folder, root);
    expect(existsSync(join(sources, 'infra/bootstrap.mjs'))).toBe(true);

    const module = join(sources, 'infra/stack/console/console-folder.ts');
    const script = `const { consoleFolder } = await import(${JSON.stringify(module)}); console.log(await consoleFolder());`;
    const console = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(console.trim()).toBe(join(sources, 'packages/console/ready'));
    expect(await readdir(console.trim())).toEqual(
      expect.arrayContaining(['assets', 'index.html', 'index.html.br', 'index.html.gz', 'picker.js']),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
