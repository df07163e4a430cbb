import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GLEANER, run, runGleaner } from './support/run-gleaner.ts';
import { jobOf, sendJson, startService } from './support/start-service.ts';

let bin: string;

/** Puts the command on the PATH of the shells. */
beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'gleaner-bin-'));
  const file = join(bin, 'gleaner');
  await writeFile(file, `#!/bin/sh\nexec ${GLEANER.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  await chmod(file, 0o755);
});
afterAll(() => rm(bin, { recursive: true, force: true }));

async function suggest(...words: string[]): Promise<string[]> {
  const { stdout } = await runGleaner(['completion', '--words', 'bash', '--', ...words]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');
}

describe('completions', () => {
  it.each([
    [['jo'], ['job']],
    [
      ['job', 're'],
      ['results', 'rerun'],
    ],
    [['scrape', '--ren'], ['--render']],
    [
      ['job', 'list', '--status', 'p'],
      ['pending', 'partial'],
    ],
    [
      ['usage', '--format', ''],
      ['table', 'json', 'ndjson', 'csv'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', 'here', ''], ['']],
  ])('of %j are %j', async (words, expected) => {
    expect(await suggest(...words)).toEqual(expected);
  });

  it('offer the ids of the service', async () => {
    const pagination = { limit: 20, offset: 0, total: 1, hasMore: false };
    await using service = await startService((response) =>
      sendJson(response, 200, { jobs: [jobOf('running', 1)], pagination }),
    );
    const { stdout } = await runGleaner(['completion', '--words', 'fish', '--', 'job', 'show', ''], {
      env: service.env,
    });
    expect(stdout).toBe('job_01jd8x0000000000000000000\tBooks, running\n');
  });

  it.each([
    [
      'bash',
      `source <(gleaner completion bash); COMP_WORDS=(gleaner job re); COMP_CWORD=2; _gleaner; printf "%s\\n" "\${COMPREPLY[@]}"`,
    ],
    ['fish', 'gleaner completion fish | source; complete -C "gleaner job re" | string split -f1 \\t'],
    [
      'zsh',
      'autoload -Uz compinit; compinit -u -D; source <(gleaner completion zsh); _describe() { for each in "$@[3]"; do eval "print -l \\$$each" | cut -d: -f1; done }; words=(gleaner job re); CURRENT=3; _gleaner',
    ],
  ])('work in %s, where it is installed', async (shell, script) => {
    const path = `${bin}:${process.env.PATH}`;
    const { code } = await run('which', [shell]);
    const printed = await runGleaner(['completion', shell]);
    expect(printed.stdout).toContain(`${shell} completion of gleaner`);
    if (code !== 0) return;
    const { stdout } = await run(shell, ['-c', script], { env: { PATH: path, HOME: bin } });
    expect(stdout.trim().split('\n')).toEqual(['results', 'rerun']);
  });
});
