import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { realBroker } from '../real-broker.ts';
import { attributeCost } from './cost/attribute-cost.ts';
import { type GleanerSetting, measureGleaner } from './measure-gleaner.ts';
import { reportContenders } from './report-contenders.ts';
import { RIVALS } from './rivals/rivals.ts';
import type { Measured, Workload } from './workload.ts';

/**
 * Measures Gleaner on each available broker and its rivals doing the same work, prints their figures, and divides Gleaner's
 * CPU among categories. The folder is made; it takes the data.
 */
export async function compareContenders(
  bench: string,
  work: Workload,
  folder: string,
): Promise<ReadonlyMap<string, Measured>> {
  await mkdir(folder);
  const contenders = await measureAll(bench, work, folder);
  reportContenders(bench, contenders);
  for (const setting of await gleanerSettings(join(folder, 'profiled'))) {
    const measured = contenders.get(nameOf(setting));
    if (measured) await attributeCost(bench, work, setting, measured);
  }
  return contenders;
}

async function measureAll(bench: string, work: Workload, folder: string): Promise<Map<string, Measured>> {
  const contenders = new Map<string, Measured>();
  for (const setting of await gleanerSettings(folder)) {
    contenders.set(nameOf(setting), await measureGleaner(work, setting));
  }
  for (const rival of RIVALS) {
    const measured = await rival.measure(work, folder);
    if (typeof measured === 'string') console.log(`${bench.padEnd(9)} ${rival.name} ${measured}`);
    else contenders.set(rival.name, measured);
  }
  return contenders;
}

/** The embedded broker, and RabbitMQ when it answers. */
async function gleanerSettings(folder: string): Promise<GleanerSetting[]> {
  const brokers = [{ name: 'embedded', amqpUrl: undefined }, ...(await realBroker())];
  return brokers.map(({ name, amqpUrl }) => ({ amqpUrl, dataDir: join(folder, name) }));
}

function nameOf({ amqpUrl }: GleanerSetting): string {
  return `gleaner ${amqpUrl === undefined ? 'embedded' : 'rabbitmq'}`;
}
