import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { createId, DEFAULT_ACCOUNT_ID, DROP_REASONS, isTerminal, SKIP_REASONS } from '@gleaner/contracts';
import {
  connectDatabase,
  createStores,
  type JobProgress,
  type NewPage,
  pageIdOf,
  type Stores,
} from '@gleaner/storage';
import type { Stack } from '../../stack/start-stack.ts';
import { percentile, SHARES, timed } from '../figures.ts';
import { type Api, callApi, createJob, pagesOf, readJob, untilEnded } from './ask-gleaner.ts';
import { FIELD_SETS, withPagesStack } from './workload.ts';

const SIZES = [30_000, 100_000];
const ROUNDS_ALONE = 40;
const LEAST_ROUNDS = 10;
const WATCH_MS = 120_000;
const POLL_MS = 10;
const CHUNK = 500;
const DAY_MS = 24 * 3600 * 1000;

/** Servers and sizes that an operation works with. */
interface Scene {
  readonly stack: Stack;
  readonly stores: Stores;
  readonly originUrl: string;
  readonly pages: number;
}

/** An operation on a large job: it begins, and returns a function that tells whether it is over. */
type Operation = (scene: Scene) => Promise<() => Promise<boolean>>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: async (scene) => {
    const creating = createJob(scene.stack, { urls: urlsOf(scene), selectors: FIELD_SETS.simple });
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    // A create that fails ends the operation as well.
    creating.then(end, end);
    return async () => {
      if (isOver) await cancel(scene, await creating);
      return isOver;
    };
  },
  cancel: async (scene) => {
    const id = await storeJob(scene);
    await cancel(scene, `/v1/jobs/${id}`);
    return completionOf(id, scene);
  },
  'stop by limit': async (scene) => completionOf(await storeJob(scene, { crawl: { limit: 1 } }), scene),
  'stop by duration': async (scene) =>
    completionOf(await storeJob(scene, { crawl: { maxDuration: 1000 } }), scene),
  'stop by credits': async (scene) => {
    const accountId = createId('acc');
    await scene.stores.accounts.ensureAccount({ id: accountId, name: 'Poor', balance: 1 });
    const id = await storeJob(scene, { accountId });
    return async () => isTerminal((await progressOf(id, scene)).status);
  },
  finish: async (scene) => {
    return completionOf(await storeJob(scene, { status: 'ended' }), scene);
  },
  sweep: async (scene) => {
    const base = await storeJob(scene, { status: 'ended', crawl: {} });
    const event = { id: createId('evt'), type: 'job.completed', at: new Date() } as const;
    const set = { completedAt: new Date() };
    await scene.stores.jobs.transition(base, { from: ['running'], to: 'completed', set, event });
    const one = { ...scene, pages: 1 };
    const id = await storeJob(one, { status: 'ended', crawl: {}, since: [base] });
    return async () => {
      const { crawl } = await progressOf(id, scene);
      if (crawl?.isSwept) await cancel(scene, `/v1/jobs/${id}`);
      return crawl?.isSwept === true;
    };
  },
  delete: async (scene) => {
    const id = await storeJob(scene, { status: 'ended' });
    await transitionToFailed(id, scene, new Date());
    const isLeft = async () =>
      (await scene.stores.pages.findInOrder(id, { states: ['succeeded'], limit: 1 })).length > 0;
    return async () => !(await isLeft());
  },
  'rerun and cancel': async (scene) => {
    const id = await storeJob(scene);
    await cancel(scene, `/v1/jobs/${id}`);
    await until(completionOf(id, scene));
    const place = await createJob(scene.stack, {}, `/v1/jobs/${id}/rerun`);
    await cancel(scene, place);
    return completionOf(place.slice('/v1/jobs/'.length), scene);
  },
  'extract and cancel': async (scene) => {
    const id = await storeJob(scene, { status: 'ended' });
    await until(completionOf(id, scene));
    const source = brotliCompressSync('<h1>Kept</h1>').toString('base64');
    const page = { kind: 'html', baseUrl: scene.originUrl, source, statusCode: 200, engine: 'http' } as const;
    const kept = {
      id: createId('snp'),
      accountId: DEFAULT_ACCOUNT_ID,
      jobId: id,
      url: scene.originUrl,
      page,
    };
    await scene.stores.snapshots.insertPageSnapshots([kept], { now: new Date(), retentionMs: DAY_MS });
    const selectors = FIELD_SETS.simple;
    const place = await createJob(scene.stack, { selectors }, `/v1/jobs/${id}/extract`);
    await cancel(scene, place);
    return completionOf(place.slice('/v1/jobs/'.length), scene);
  },
  '30 lists of URLs': async (scene) => {
    const id = await storeJob(scene, { status: 'ended' });
    await transitionToFailed(id, scene);
    let open = 30;
    for (let list = 0; list < 30; list++) {
      const read = readToEnd(scene, `/v1/jobs/${id}/urls`);
      read.catch(console.error).finally(() => open--);
    }
    return async () => open === 0;
  },
  '1,000 due ticks': async (scene) => {
    const accountId = createId('acc');
    await scene.stores.accounts.ensureAccount({ id: accountId, name: 'Punctual', balance: null });
    const dueAt = new Date();
    const request = {
      url: scene.originUrl,
      selectors: FIELD_SETS.simple,
      cron: '0 0 1 1 *',
      timezone: 'UTC',
    };
    const ids = Array.from({ length: 1000 }, () => createId('sch'));
    for (const id of ids) {
      const settings = { ...request, name: id, overlap: 'allow' as const };
      await scene.stores.schedules.createSchedule({ id, accountId, settings, nextRunAt: dueAt, at: dueAt });
    }
    return async () => {
      const filter = { status: 'completed' as const, limit: 1, offset: 0 };
      return (await scene.stores.jobs.listJobs(accountId, filter)).total === ids.length;
    };
  },
  '40 cancels of 2,000': async (scene) => {
    const small = { ...scene, pages: 2000 };
    const ids = [];
    for (let job = 0; job < 40; job++) ids.push(await storeJob(small));
    await Promise.all(ids.map((id) => cancel(scene, `/v1/jobs/${id}`)));
    const checks = ids.map((id) => completionOf(id, scene));
    return async () => (await Promise.all(checks.map((isOver) => isOver()))).every(Boolean);
  },
};

/**
 * Measures how long a job of one page of another account takes while an operation on a large job runs, next to the same job
 * alone in the same run. The large jobs send few pages, so that the operations are measured, and not the shares of scrapers.
 */
export async function benchBystanders(): Promise<void> {
  await withPagesStack(
    async (stack, originUrl) => {
      const database = await connectDatabase({ uri: stack.mongodbUri, logger: { info() {}, warn() {} } });
      try {
        const stores = createStores(database);
        const bystander = await addBystander(stack, stores);
        await sample(bystander, originUrl, async () => false, ROUNDS_ALONE);
        for (const pages of SIZES) {
          for (const [name, operation] of Object.entries(OPERATIONS)) {
            await measure(name, operation, { scene: { stack, stores, originUrl, pages }, bystander });
          }
        }
      } finally {
        await database.close();
      }
    },
    { MAX_PAGES_PER_JOB: '2' },
  );
}

async function addBystander({ url }: Stack, stores: Stores): Promise<Api> {
  const accountId = createId('acc');
  await stores.accounts.ensureAccount({ id: accountId, name: 'Bystander', balance: null });
  const { key } = await stores.keys.createKey({ accountId });
  return { url, apiKey: key };
}

async function measure(
  name: string,
  operation: Operation,
  { scene, bystander }: { readonly scene: Scene; readonly bystander: Api },
): Promise<void> {
  const alone = await sample(bystander, scene.originUrl, async () => false, ROUNDS_ALONE);
  const startedAtMs = performance.now();
  const beginning = operation(scene);
  // Storing the job directly is part of no operation; it is over when this resolves.
  const isOver = await beginning;
  const beside = await sample(bystander, scene.originUrl, isOver);
  const tookMs = performance.now() - startedAtMs;
  const cells = Object.entries(SHARES).map(([label, share]) => {
    const [aloneMs, besideMs] = [percentile(alone, share), percentile(beside, share)];
    return `${label} ${aloneMs.toFixed(0)} → ${besideMs.toFixed(0)} ms, ${(besideMs / aloneMs).toFixed(2)} ×`;
  });
  console.log(
    `bystanders ${String(scene.pages).padStart(6)} pages  ${name.padEnd(20)} ${cells.join('  ')}  worst ` +
      `${Math.max(...beside).toFixed(0)} ms  (${beside.length} jobs, ${(tookMs / 1000).toFixed(1)} s in all)`,
  );
}

/** Runs jobs of one page, one after the other: so many, or until the operation is over; returns how long each took. */
async function sample(
  caller: Api,
  originUrl: string,
  isOver: () => Promise<boolean>,
  rounds = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const times: number[] = [];
  const giveUpAtMs = performance.now() + WATCH_MS;
  while (times.length < rounds && performance.now() < giveUpAtMs) {
    const job = { urls: [originUrl + times.length], selectors: FIELD_SETS.simple };
    const runJob = async () => untilEnded(caller, await createJob(caller, job), { pollMs: POLL_MS });
    times.push(await timed(runJob));
    if (times.length >= LEAST_ROUNDS && (await isOver())) break;
  }
  return times;
}

function urlsOf({ originUrl, pages }: Scene): string[] {
  return pagesOf(originUrl, pages);
}

async function cancel({ stack }: Scene, place: string): Promise<void> {
  const tookMs = await timed(async () => await (await callApi(stack, 'DELETE', place)).body?.cancel());
  if (tookMs > 1000) console.log(`bystanders DELETE ${place} was answered after ${tookMs.toFixed(0)} ms`);
}

/** Reads a list to its end, without keeping it. */
async function readToEnd({ stack }: Scene, path: string): Promise<void> {
  const { body } = await callApi(stack, 'GET', path);
  for await (const _chunk of body ?? []);
}

async function progressOf(id: string, { stores }: Scene): Promise<JobProgress> {
  const [job] = await stores.jobs.findProgress([id]);
  if (!job) throw new Error(`The job ${id} is gone.`);
  return job;
}

async function transitionToFailed(id: string, { stores }: Scene, retainedUntil?: Date): Promise<void> {
  const event = { id: createId('evt'), type: 'job.failed', at: new Date() } as const;
  const set = { completedAt: new Date(), ...(retainedUntil && { retainedUntil }) };
  await stores.jobs.transition(id, { from: ['running'], to: 'failed', set, event });
}

function completionOf(id: string, { stack }: Scene): () => Promise<boolean> {
  return async () => (await readJob(stack, `/v1/jobs/${id}`)).completedAt !== undefined;
}

const NO_SKIPS = zeros(SKIP_REASONS);
const NO_DROPS = zeros(DROP_REASONS);

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Differences of a stored job from one of the default account that waits. */
interface JobDetails {
  readonly accountId?: string;
  /** Options of a crawl. */
  readonly crawl?: { readonly limit?: number; readonly maxDuration?: number };
  /** Crawls that a crawl is compared with. */
  readonly since?: string[];
  readonly status?: 'pending' | 'ended';
}

/** Stores a job, or with options a crawl, whose pages all wait; directly, because creating it is another operation. */
async function storeJob(
  scene: Scene,
  { accountId = DEFAULT_ACCOUNT_ID, crawl, since, status = 'pending' }: JobDetails = {},
): Promise<string> {
  const { stores, pages: totalUrls, originUrl } = scene;
  const id = createId('job');
  const draft = {
    id,
    accountId,
    keyId: null,
    name: 'Large',
    totalUrls,
    createdAt: new Date(),
  };
  const { host } = new URL(originUrl);
  const frontier = {
    ...{ places: [], hosts: [host], nextIndex: totalUrls, started: 0, fetched: 0, missing: 0, depth: 0 },
    ...{ skipped: NO_SKIPS, dropped: NO_DROPS, warnings: [], ...(since && { since }) },
  };
  const crawlJson = JSON.stringify({ ...crawl, robots: 'ignore', sitemap: 'skip' });
  await stores.jobs.insertDraft({
    ...{ ...draft, optionsJson: JSON.stringify({ selectors: FIELD_SETS.simple }) },
    ...(crawl && { crawl: frontier, crawlJson }),
  });
  const expiresAt = new Date(Date.now() + DAY_MS);
  for (let first = 0; first < totalUrls; first += CHUNK) {
    const urls = pagesOf(originUrl, Math.min(totalUrls, first + CHUNK)).slice(first);
    const pages = urls.map((url, place): NewPage => {
      const page = { index: first + place, url, host };
      return crawl ? { ...page, crawled: { key: url, depth: 1, foundOn: originUrl } } : page;
    });
    await stores.pages.insertPages(id, pages, expiresAt);
    if (status === 'ended') {
      const ids = pages.map(({ index }) => pageIdOf(id, index));
      await endPages(ids, stores);
    }
  }
  if (status === 'pending') await stores.jobs.publishDrafts([id]);
  else await publishEnded(id, stores);
  return id;
}

/** Publishes a job whose pages have all ended, as if the process had died before it counted and charged them. */
async function publishEnded(id: string, { jobs }: Stores): Promise<void> {
  await jobs.publishDrafts([id]);
  const event = { id: createId('evt'), type: 'job.started', at: new Date() } as const;
  await jobs.transition(id, { from: ['pending'], to: 'running', set: { startedAt: new Date() }, event });
}

/** Starts and ends pages with success. Few are in flight at a time: they count against the slots of the scrapers. */
async function endPages(ids: readonly string[], { pages }: Stores): Promise<void> {
  const ends = ids.map((id) => ({ id, attempt: 1, state: 'succeeded' as const, price: { base: 1 } }));
  await pages.claim(ids, new Date(Date.now() + DAY_MS));
  await pages.end(ends, new Date());
}

async function until(isOver: () => Promise<boolean>): Promise<void> {
  while (!(await isOver())) await sleep(POLL_MS);
}
