import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addUp, removeResults, type TurboTask } from './tally.ts';

let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gleaner-tally-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('addUp', () => {
  it('counts the tests of a suite, whether it ran or its results come from the cache', async () => {
    await writeResults('packages/a', 'test', { passed: 3, failed: 0, failures: [] });
    await writeResults('packages/b', 'test-slow', { passed: 4, failed: 0, failures: [] });
    const ran = taskOf('packages/a', 'test', { execution: { exitCode: 0 } });
    const cached = taskOf('packages/b', 'test:slow', { cache: { status: 'HIT' } });
    expect(addUp(root, [ran, cached])).toEqual({ passed: 7, failed: 0, failures: [] });
  });

  it('counts a check as one, with its output when it fails', async () => {
    await writeFile(join(root, 'lint.log'), 'a.ts: a floating promise\n');
    const good = taskOf('', 'typecheck', { execution: { exitCode: 0 } });
    const bad = taskOf('', 'lint', { execution: { exitCode: 1 } });
    expect(addUp(root, [good, bad])).toEqual({
      passed: 1,
      failed: 1,
      failures: ['✕ lint\na.ts: a floating promise'],
    });
  });

  it('repeats the messages of failed tests', async () => {
    await writeResults('packages/a', 'test', { passed: 3, failed: 1, failures: ['expected 1'] });
    const task = taskOf('packages/a', 'test', { execution: { exitCode: 1 } });
    expect(addUp(root, [task])).toEqual({ passed: 3, failed: 1, failures: ['expected 1'] });
  });

  it('fails a suite that ended without results, or badly after its tests had passed', async () => {
    await writeResults('packages/b', 'test', { passed: 2, failed: 0, failures: [] });
    const without = taskOf('packages/a', 'test', { execution: { exitCode: 0 } });
    const late = taskOf('packages/b', 'test', { execution: { exitCode: 1 } });
    expect(addUp(root, [without, late])).toMatchObject({ passed: 2, failed: 2 });
  });

  it('fails a task that never ran', () => {
    expect(addUp(root, [taskOf('', 'lint', {})])).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('removeResults', () => {
  it('names a failed task that has no log, because it is not cached', () => {
    const { logFile: _, ...uncached } = taskOf('', 'commits', { execution: { exitCode: 1 } });
    expect(addUp(root, [uncached])).toEqual({ passed: 0, failed: 1, failures: ['✕ commits\n'] });
  });

  it('removes what an earlier run has left', async () => {
    await writeResults('packages/a', 'test', { passed: 3, failed: 0, failures: [] });
    await writeResults('infra', 'test', { passed: 3, failed: 0, failures: [] });
    removeResults(root);
    const tasks = ['packages/a', 'infra'].map((folder) =>
      taskOf(folder, 'test', { execution: { exitCode: 0 } }),
    );
    expect(addUp(root, tasks)).toMatchObject({ passed: 0, failed: 2 });
  });
});

function taskOf(directory: string, task: string, result: Partial<TurboTask>): TurboTask {
  const taskId = `${directory}#${task}`;
  return {
    taskId,
    task,
    directory,
    command: task,
    logFile: `${task}.log`,
    cache: { status: 'MISS' },
    ...result,
  };
}

async function writeResults(directory: string, name: string, tally: object): Promise<void> {
  const folder = join(root, directory, '.results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), JSON.stringify(tally));
}
