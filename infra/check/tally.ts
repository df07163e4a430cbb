import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Counts of a run, and the messages of what failed. */
export interface Tally {
  passed: number;
  failed: number;
  failures: string[];
}

/** The part of turbo's run summary that is read here. */
export interface TurboTask {
  /** As `package#task`; the root's package is `//`. */
  taskId: string;
  task: string;
  command: string;
  directory: string;
  /** Absent for tasks without a cache. */
  logFile?: string;
  cache: { status: string };
  execution?: { exitCode: number | null };
}

const RESULTS = '{packages,services,infra}/{.results,*/.results}/*.json';

/** Removes the results of earlier runs: a file that is there afterwards was written or restored by this run. */
export function removeResults(root: string): void {
  for (const file of globSync(RESULTS, { cwd: root })) rmSync(join(root, file), { force: true });
}

/**
 * Adds up the tasks of a run. A suite counts its tests, any other task counts as one. A suite that ended without
 * writing its results has failed.
 */
export function addUp(root: string, tasks: readonly TurboTask[]): Tally {
  const sum: Tally = { passed: 0, failed: 0, failures: [] };
  for (const task of tasks) {
    const { passed, failed, failures } = isSuite(task) ? countSuite(root, task) : countTask(root, task);
    sum.passed += passed;
    sum.failed += failed;
    sum.failures.push(...failures);
  }
  return sum;
}

function isSuite({ task }: TurboTask): boolean {
  return task === 'test' || task.startsWith('test:');
}

function countSuite(root: string, task: TurboTask): Tally {
  const file = join(root, task.directory, '.results', `${task.task.replaceAll(':', '-')}.json`);
  const tally = readTally(file);
  if (!tally) return failure(`✕ ${task.taskId} ended without results`);
  if (!hasPassed(task) && tally.failed === 0) {
    const { failed, failures } = failure(`✕ ${task.taskId} failed after its tests had passed`);
    return { passed: tally.passed, failed, failures };
  }
  return tally;
}

function countTask(root: string, task: TurboTask): Tally {
  if (hasPassed(task)) return { passed: 1, failed: 0, failures: [] };
  const log = task.logFile ? (readText(join(root, task.logFile)) ?? '') : '';
  return failure(`✕ ${task.task}\n${log.trimEnd()}`);
}

function hasPassed({ cache, execution }: TurboTask): boolean {
  return execution ? execution.exitCode === 0 : cache.status === 'HIT';
}

function failure(message: string): Tally {
  return { passed: 0, failed: 1, failures: [message] };
}

function readTally(file: string): Tally | undefined {
  const text = readText(file);
  return text === undefined ? undefined : (JSON.parse(text) as Tally);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
