import { readdir, readFile } from 'node:fs/promises';
import type { Stack } from '../../stack/start-stack.ts';
import { type ProcessUsage, processUsage } from './process-usage.ts';

/** CPU and memory of each process so far, by its name. */
export type StackUsage = ReadonlyMap<string, ProcessUsage>;

/** The name of RabbitMQ's process. */
const BROKER_COMMAND = 'beam.smp';

/** Reads the CPU and memory of all processes of a stack so far, including RabbitMQ when it uses that (Linux). */
export async function stackUsage(stack: Stack, usesRealBroker: boolean): Promise<StackUsage> {
  const own = stack.processes().flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]));
  const brokers = usesRealBroker ? await pidsOf(BROKER_COMMAND) : [];
  const watched = [...own, ...brokers.map((pid) => ({ name: 'rabbitmq', pid }))];
  const entries = watched.map(async ({ name, pid }) => [name, await processUsage(pid)] as const);
  return new Map(await Promise.all(entries));
}

async function pidsOf(command: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, index) => commands[index]?.trim() === command);
}
