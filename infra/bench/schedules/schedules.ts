import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createId, settingsOf } from '@gleaner/contracts';
import { connectDatabase, type Database } from '@gleaner/storage';
import { type Stack, startStack } from '../../stack/start-stack.ts';
import { processUsage } from '../hostile/process-usage.ts';

const STORED = 100_000;
const DUE = 1000;
const CHUNK = 2000;
const IDLE_MS = 20_000;
const WATCH_MS = 90_000;
const MIB = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

/** Measures the cost of stored schedules while none is due, and the time until a thousand due schedules have their jobs (Linux). */
export async function benchSchedules(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-bench-'));
  const stack = await start(dataDir);
  const database = await connectDatabase({ uri: stack.mongodbUri, logger: { info() {}, warn() {} } });
  try {
    await reportIdle('no schedules', stack);
    await store(database, stack.demoUrl, STORED, new Date(Date.now() + 300 * DAY_MS));
    await reportIdle(`${STORED} schedules`, stack);
    await reportDue(database, stack);
  } finally {
    await database.close();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function start(dataDir: string): Promise<Stack> {
  return startStack({
    dataDir,
  });
}

/** Inserts the schedules directly into the collection, because creating them is not part of the bench. */
async function store(database: Database, url: string, count: number, nextRunAt: Date): Promise<string[]> {
  const settings = settingsOf({ url, selectors: { title: 'h1' }, cron: '0 0 1 1 *' });
  const at = new Date();
  const ids = Array.from({ length: count }, () => createId('sch'));
  for (let first = 0; first < count; first += CHUNK) {
    await database.models.schedules.collection.insertMany(
      ids.slice(first, first + CHUNK).map((_id) => ({
        ...{ _id: _id as never, accountId: 'acc_bench', settingsJson: JSON.stringify(settings) },
        ...{ cron: settings.cron, timezone: settings.timezone, status: 'active', revision: 0, nextRunAt },
        ...{ lastRunAt: null, lastJobId: null, lastStatus: null, lastErrorJson: null, runCount: 0 },
        ...{ skippedCount: 0, lastSkippedAt: null, createdAt: at, updatedAt: at },
      })),
    );
  }
  return ids;
}

async function reportIdle(when: string, stack: Stack): Promise<void> {
  await sleep(5000);
  const before = await usages(stack);
  await sleep(IDLE_MS);
  const after = await usages(stack);
  for (const [name, { cpuMs, peakBytes }] of after) {
    const msPerSecond = (cpuMs - (before.get(name)?.cpuMs ?? 0)) / (IDLE_MS / 1000);
    console.log(
      `schedules ${when.padEnd(18)} ${name.padEnd(18)} ${msPerSecond.toFixed(1).padStart(6)} ms CPU a second, peak ${(peakBytes / MIB).toFixed(0)} MiB`,
    );
  }
}

async function usages(stack: Stack) {
  const watched = stack.processes().filter(({ name }) => name === 'scheduler' || name === 'backends');
  const entries = watched.map(async ({ name, pid = 0 }) => [name, await processUsage(pid)] as const);
  return new Map(await Promise.all(entries));
}

async function reportDue(database: Database, stack: Stack): Promise<void> {
  const dueAt = new Date(Date.now() + 20_000);
  const ids = await store(database, stack.demoUrl, DUE, dueAt);
  const { schedules } = database.models;
  const started = { _id: { $in: ids }, lastRunAt: { $ne: null } };
  const giveUpAtMs = dueAt.getTime() + WATCH_MS;
  while ((await schedules.countDocuments(started)) < DUE && Date.now() < giveUpAtMs) await sleep(500);
  const found = await schedules.find(started, { lastRunAt: 1, runCount: 1 }).lean();
  const lags = found.map(({ lastRunAt }) => (lastRunAt?.getTime() ?? 0) - dueAt.getTime());
  const seconds = (ms: number) => (ms / 1000).toFixed(2);
  console.log(
    `schedules ${DUE} due at once   ${found.length} started, the first after ${seconds(Math.min(...lags))} s, the last after ${seconds(Math.max(...lags))} s; started twice: ${found.filter(({ runCount }) => runCount > 1).length}`,
  );
  await reportJobs(database, dueAt);
}

async function reportJobs(database: Database, dueAt: Date): Promise<void> {
  const runs = { accountId: 'acc_bench' };
  const isOver = async () =>
    (await database.models.jobs.countDocuments({ ...runs, status: 'completed' })) >= DUE;
  while (!(await isOver()) && Date.now() < dueAt.getTime() + WATCH_MS) await sleep(500);
  const [jobs, completed] = await Promise.all([
    database.models.jobs.countDocuments(runs),
    database.models.jobs.countDocuments({ ...runs, status: 'completed' }),
  ]);
  const after = ((Date.now() - dueAt.getTime()) / 1000).toFixed(0);
  console.log(`schedules jobs               ${jobs} created, ${completed} completed after ${after} s`);
}
