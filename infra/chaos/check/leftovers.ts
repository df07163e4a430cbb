import { readdir, readFile } from 'node:fs/promises';
import type { Broker } from '@gleaner/broker';
import { QUEUES, type QueueName } from '@gleaner/contracts';
import type { ChaosStack } from '../stack/chaos-stack.ts';
import { waitUntil } from '../wait-until.ts';

/** Postponed messages, such as the second copy of a delivery, return within a minute and have nothing to do. */
const PUT_OFF_MS = 90_000;

/** Waits until every queue is empty, for as long as work may have been postponed. */
export async function untilQueuesAreEmpty(broker: Pick<Broker, 'messageCount'>): Promise<void> {
  await waitUntil(async () => (await listQueued(broker)).length === 0, PUT_OFF_MS);
}

/** Returns what the queues still hold; once the consumers have ended, unacknowledged messages count too. */
export async function listQueued(broker: Pick<Broker, 'messageCount'>): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(QUEUES) as QueueName[]) {
    const count = await broker.messageCount(name);
    if (count > 0) found.push(`${count} messages are left in ${name}.`);
  }
  return found;
}

/**
 * Finds the processes of a run whose service has ended (only on Linux; elsewhere the list is empty): processes that a killed
 * service has left behind.
 */
export async function findOrphans(
  run: Pick<ChaosStack, 'mark' | 'browserFolder'>,
  living: readonly (number | undefined)[],
): Promise<number[]> {
  const marked: number[] = [];
  for (const pid of await allPids())
    if ((await isMarked(pid, run.mark)) || (await isOfBrowser(pid, run.browserFolder))) marked.push(pid);
  const orphans: number[] = [];
  for (const pid of marked) if (!(await descendsFrom(pid, living))) orphans.push(pid);
  return orphans;
}

async function isMarked(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

/** Finds the main processes of the running browsers of a run; each leads its process group. */
export async function findBrowsers({ browserFolder }: Pick<ChaosStack, 'browserFolder'>): Promise<number[]> {
  const browsers: number[] = [];
  for (const pid of await allPids()) {
    const command = await commandOf(pid);
    if (command.includes(`--user-data-dir=${browserFolder}`) && !command.includes('--type='))
      browsers.push(pid);
  }
  return browsers;
}

async function allPids(): Promise<number[]> {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Browsers have an environment of their own, without the mark, so they are recognized by their folder. */
async function isOfBrowser(pid: number, browserFolder: string): Promise<boolean> {
  return (await commandOf(pid)).includes(browserFolder);
}

async function commandOf(pid: number): Promise<string> {
  return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

async function descendsFrom(pid: number, living: readonly (number | undefined)[]): Promise<boolean> {
  for (let current = pid; current > 1; ) {
    if (living.includes(current)) return true;
    const status = await readFile(`/proc/${current}/status`, 'utf8').catch(() => undefined);
    // It has ended in the meantime.
    if (status === undefined) return true;
    current = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return false;
}
