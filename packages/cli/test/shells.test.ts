import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completeInShell, type Shell } from './support/complete-in-shell.ts';
import { GLEANER, run } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

const WITH_ID = 'gleaner job show job_01jd8x0000000000000000000';
const MAX_TRIES = 5;

let folder: string;

/** Puts the command on the PATH of the shells. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-shells-'));
  const file = join(folder, 'gleaner');
  await writeFile(file, `#!/bin/sh\nexec ${GLEANER.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  await chmod(file, 0o755);
  await writeFile(join(folder, 'urls of shops.txt'), '');
  await writeFile(join(folder, 'selectors.json'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the Tab key', () => {
  it.each<Shell>(['bash', 'zsh', 'fish'])('completes a line in %s, where it is installed', async (shell) => {
    if ((await run('which', [shell])).code !== 0) return;
    const pagination = { limit: 20, offset: 0, total: 1, hasMore: false };
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs: [jobOf('running', 1)], pagination }),
    );
    const lines: Readonly<Record<string, string>> = {
      'gleaner job res': 'gleaner job results',
      'gleaner job show ': WITH_ID,
      'gleaner scrape http://a.test:8090/b -s t=h1 --scr':
        'gleaner scrape http://a.test:8090/b -s t=h1 --screenshot',
      'gleaner job list --status=par': 'gleaner job list --status=partial',
      'gleaner scrape a.test --selectors=se': 'gleaner scrape a.test --selectors=selectors.json',
      'gleaner job create --urls-file u': 'gleaner job create --urls-file urls of shops.txt',
      // There are files here, and none of them is a page.
      'gleaner scrape ': 'gleaner scrape',
    };
    const env = { ...service.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
    const complete = async () =>
      (await completeInShell(shell, Object.keys(lines), { env, cwd: folder })).map((line) => line.trim());
    let completed = await complete();
    // A completion does not wait long for the ids of a service on a busy machine.
    for (let tries = 1; tries < MAX_TRIES && !completed.includes(WITH_ID); tries += 1) {
      completed = await complete();
    }
    expect(completed).toEqual(Object.values(lines));
  });
});
