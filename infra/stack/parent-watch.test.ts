import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Prints a line, then runs until its parent ends. */
const CHILD = `
  const { untilParentEnds } = await import(${JSON.stringify(join(import.meta.dirname, 'parent-watch.ts'))});
  const running = setInterval(() => {}, 1000);
  const parentEnded = untilParentEnds();
  console.log('watching');
  await parentEnded;
  clearInterval(running);
`;

describe('untilParentEnds', () => {
  it('resolves after the parent was killed hard', async () => {
    const node = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      CHILD,
    ];
    // The shell stays the parent, because the child is not its last command.
    const parent = spawn('sh', ['-c', '"$@"; true', 'sh', ...node], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    parent.kill('SIGKILL');
    // The pipe ends when no process holds it any more.
    await once(parent.stdout.resume(), 'end');
  });
});

describe('the scripts of package.json', () => {
  it('replace the shell of npm, so that signals to npm reach them', async () => {
    const file = resolve(import.meta.dirname, '../../package.json');
    const { scripts } = JSON.parse(await readFile(file, 'utf8')) as { scripts: Record<string, string> };
    const starts = Object.values(scripts).filter((script) => script.includes('infra/bootstrap.mjs'));
    expect(starts.length).toBeGreaterThan(0);
    for (const script of starts) expect(script).toMatch(/^exec node |&& eval exec "\$command"$/);
  });
});
