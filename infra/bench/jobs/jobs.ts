import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realBroker } from '../real-broker.ts';
import { attributeCost } from './cost/attribute-cost.ts';
import { type GleanerSetting, measureGleaner } from './measure-gleaner.ts';
import { reportContenders } from './report-contenders.ts';
import { RIVALS } from './rivals/rivals.ts';
import { FIELD_SETS, type FieldSet, type Measured, startPagesOrigin, type Workload } from './workload.ts';

const PAGES = 2000;
const WARM_UP_PAGES = 300;

/**
 * Measures the CPU per page of a job over all processes of Gleaner, its broker and its database, on each available broker,
 * next to Scrapy and Crawlee doing the same work, and divides Gleaner's CPU among categories (Linux).
 */
export async function benchJobs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const origin = await startPagesOrigin(folder);
  const meanKib = (origin.meanBytes / 1024).toFixed(0);
  try {
    for (const [fields, selectors] of Object.entries(FIELD_SETS)) {
      const count = Object.keys(selectors).length;
      console.log(`jobs      ${PAGES} pages of ${meanKib} KiB on average, ${count} ${fields} fields`);
      const work = { fields: fields as FieldSet, pages: PAGES, warmUpPages: WARM_UP_PAGES, url: origin.url };
      await measureFields(work, join(folder, fields));
    }
  } finally {
    await origin.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureFields(work: Workload, folder: string): Promise<void> {
  await mkdir(folder);
  const contenders = await measureAll(work, folder);
  reportContenders(contenders);
  for (const setting of await gleanerSettings(join(folder, 'profiled'))) {
    const measured = contenders.get(nameOf(setting));
    if (measured) await attributeCost(work, setting, measured);
  }
}

async function measureAll(work: Workload, folder: string): Promise<Map<string, Measured>> {
  const contenders = new Map<string, Measured>();
  for (const setting of await gleanerSettings(folder)) {
    contenders.set(nameOf(setting), await measureGleaner(work, setting));
  }
  for (const rival of RIVALS) {
    const measured = await rival.measure(work, folder);
    if (typeof measured === 'string') console.log(`jobs      ${rival.name} ${measured}`);
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
