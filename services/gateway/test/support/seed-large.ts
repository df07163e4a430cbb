import { createHash, randomBytes } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import { createId, FILE_PART_BYTES, type Job, type Schedule, STAGES } from '@gleaner/contracts';
import { describeJob, describeSchedule, pageIdOf, type Stores } from '@gleaner/storage';
import { COSTLY_OPTIONS } from './costly-bodies.ts';
import { seedDelivery } from './scripted-notifier.ts';
import { seedJob } from './scripted-orchestrator.ts';
import { packedPage } from './scripted-snapshots.ts';
import { seedRecords } from './seed-records.ts';
import { seedRun } from './seed-runs.ts';
import type { TestBed } from './test-bed.ts';

/** Stored data of about the largest size that callers can bring about. */
export interface LargeData {
  /** A finished job of as many URLs as a job may have. */
  readonly wide: Job;
  /** A finished job with some results of many megabytes, and many small ones. */
  readonly heavy: Job;
  /** A crawl that is compared with another, with many changes. */
  readonly changed: Job;
  readonly schedule: Schedule;
  /** Two of its runs with long Markdown. */
  readonly textRuns: readonly string[];
  readonly deliveryId: string;
  readonly snapshotId: string;
  readonly smallSnapshotId: string;
  /** A file of 32 MiB. */
  readonly fileId: string;
  /** A scrape with a large trace. */
  readonly requestId: string;
  readonly keyId: string;
  /** A recipe with as many tests as one may have, beside others with many patterns. */
  readonly recipeId: string;
  /** SHA-256 of a page of its tests. */
  readonly testPage: string;
}

export const MANY_URLS = 30_000;
/** Name of a dataset of large records, and the key of one that has changed often. */
export const LARGE_DATASET = 'large';
/** Origin of the patterns of its recipes. */
export const RECIPES_URL = 'https://recipes.example/';
const CHUNK = 1000;
const TEXT = 'A text of a page, with "quotes", 1,5 and ünïcödé.\n';
const expiresAt = new Date(Date.now() + 3_600_000);
const times = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index));

/** Seeds the data of one account, most of it directly in the database. */
export async function seedLarge({ stores, database }: TestBed, accountId: string): Promise<LargeData> {
  const { jobs, pages, snapshots, schedules, keys, traces } = stores;
  const documents = database.models;

  async function seedWide(): Promise<Job> {
    const id = createId('job');
    const options = JSON.stringify({ snapshot: true, selectors: { title: 'h1' } });
    await jobs.insertDraft({
      id,
      accountId,
      keyId: null,
      name: 'Wide',
      createdAt: new Date(),
      totalUrls: MANY_URLS,
      optionsJson: options,
    });
    await pages.insertPages(id, [{ index: 0, host: 'example.com', url: 'https://example.com/' }], expiresAt);
    const first = await documents.pages.collection.findOneAndDelete({ jobId: id });
    for (let index = 0; index < MANY_URLS; index += CHUNK) {
      await documents.pages.collection.insertMany(times(CHUNK, (at) => pageLike(first, id, index + at)));
    }
    await jobs.publishDrafts([id]);
    return await finished(id, { completedUrls: MANY_URLS });
  }

  async function finished(id: string, set: object): Promise<Job> {
    await documents.jobs.collection.updateOne(
      { _id: id as never },
      { $set: { status: 'completed', completedAt: new Date(), ...set } },
    );
    const job = await jobs.findJob(accountId, id);
    if (!job) throw new Error('The job was not stored.');
    return describeJob(job);
  }

  async function storeChanges(jobId: string, texts: readonly string[]): Promise<void> {
    const stored = texts.map((json, index) => ({ _id: pageIdOf(jobId, index) as never, json, expiresAt }));
    await documents.changes.collection.insertMany(stored);
  }

  const cards = (count: number) =>
    times(count, (index) => ({
      title: `Card "${index}"`,
      price: { amount: index, currency: 'EUR' },
      text: TEXT,
    }));
  const seeded = [
    { data: { cards: cards(45_000), body: TEXT }, screenshot: randomBytes(10_000_000) },
    { data: { cards: [], body: TEXT.repeat(110_000) } },
    { data: { cards: cards(10), body: '"'.repeat(3_000_000) } },
    ...times(100, () => ({
      data: { cards: cards(100), body: TEXT.repeat(20) },
      formats: { markdown: TEXT.repeat(200) },
    })),
  ];
  const heavySelectors = {
    cards: {
      selector: '.card',
      all: true,
      fields: { title: 'h2', price: { selector: 'b', type: 'price' }, text: 'p' },
    },
    body: 'body',
  };
  const wide = await seedWide();
  const heavy = await seedJob(stores, accountId, seeded, {
    selectors: heavySelectors,
    formats: ['markdown'],
  });

  const attempts = times(100, () => ({
    engine: 'browser',
    statusCode: 200,
    outcome: 'success',
    durationMs: 41,
    startedAtMs: Date.now(),
    stages: Object.fromEntries(Object.keys(STAGES).map((stage) => [stage, 1.5])),
  }));
  const requestId = createId('req');
  const traced = { url: 'https://example.com/', ...COSTLY_OPTIONS.headers, ...COSTLY_OPTIONS.cookies };
  const trace = { request: traced, state: 'success', durationMs: 41, attempts };
  await traces.insertTraces([{ accountId, requestId, json: JSON.stringify(trace) }], expiresAt);
  await documents.pages.collection.updateOne(
    { _id: pageIdOf(heavy.id, 0) as never },
    { $set: { rounds: times(10, (round) => JSON.stringify({ round, attempts })) } },
  );

  const id = createId('sch');
  const settings = {
    name: 'Large',
    cron: '0 0 * * *',
    timezone: 'UTC',
    overlap: 'skip' as const,
    urls: times(1000, (index) => `https://example.com/${'path/'.repeat(180)}${index}`),
  };
  const now = { at: new Date(), nextRunAt: new Date('2030-01-01') };
  const schedule = describeSchedule(await schedules.createSchedule({ id, accountId, settings, ...now }));
  for (let count = 1; count < 30; count += 1) {
    await schedules.createSchedule({ id: createId('sch'), accountId, settings, ...now });
  }

  const crawl = {
    places: ['example.com'],
    hosts: times(1000, (index) => `host${index}.example.com`),
    nextIndex: 1,
    started: 1,
    fetched: 1,
    missing: 0,
    depth: 2,
    warnings: [],
    skipped: {},
    dropped: {},
    closedPatterns: times(200, (index) => `example.com/${'a/'.repeat(100)}${index}`),
  };
  const crawlJson = JSON.stringify({
    include: times(100, (index) => `/${'*a'.repeat(500)}${index}`),
    rules: times(50, () => ({ match: '/**', follow: times(20, () => 'a'.repeat(1000)) })),
  });
  const comparison = {
    since: 'job_1',
    added: 1000,
    removed: 0,
    changed: 0,
    stored: 1000,
    omitted: 0,
    keysJson: '{}',
  };
  const texts = times(1000, (index) =>
    JSON.stringify({
      url: `https://example.com/${'p/'.repeat(500)}${index}`,
      path: `cards[${index}].text`,
      kind: 'changed',
      before: TEXT.repeat(80),
      after: `${index}${TEXT.repeat(80)}`,
    }),
  );
  const messages = times(100, (index) => ({
    rule: 'Large',
    title: `${index}${'"<&'.repeat(60)}`,
    text: times(60, () => '"<&'.repeat(40)).join('\n'),
    records: [],
  }));
  const textRuns: string[] = [];
  for (const word of ['a', 'b']) {
    const lines = times(100_000, (line) => `${word}${line}`).join('\n');
    const markdowns = [
      lines,
      word.repeat(5_000_000),
      '\n'.repeat(1_000_000) + word,
      ...times(100, () => TEXT.repeat(200) + word),
    ];
    const pages = markdowns.map((markdown) => ({ formats: { markdown } }));
    textRuns.push(await seedRun({ stores, database }, { accountId, scheduleId: id, pages, messages }));
  }
  const runs = times(20, () => createId('job'));
  // One by one: each step must end in the time that the stores allow for an operation, on a busy machine too.
  for (const run of runs) {
    await jobs.insertDraft({
      id: run,
      accountId,
      keyId: null,
      name: 'A run',
      createdAt: new Date(),
      scheduleId: id,
      totalUrls: 1,
      optionsJson: '{}',
      crawlJson,
      crawl: crawl as never,
      hosts: ['example.com'],
    });
    await jobs.publishDrafts([run]);
  }
  for (const run of runs.slice(0, -1)) {
    await finished(run, { comparison });
    await storeChanges(run, texts.slice(0, 100));
  }
  const lastRun = runs.at(-1) ?? '';
  await storeChanges(lastRun, texts);
  await pages.insertPages(
    lastRun,
    times(1000, (index) => ({
      index,
      host: 'example.com',
      url: `https://example.com/${index}`,
      crawled: { key: `example.com/${index}`, depth: 1 },
    })),
    expiresAt,
  );
  const changed = await finished(lastRun, { comparison });

  const { id: deliveryId } = await seedDelivery(stores, accountId, { jobId: heavy.id });
  const attempt = {
    at: new Date(),
    durationMs: 1,
    statusCode: 500,
    error: TEXT.repeat(5),
    response: TEXT.repeat(10),
  };
  for (let count = 1; count < 100; count += 1) await seedDelivery(stores, accountId, { jobId: heavy.id });
  await documents.deliveries.collection.updateMany({}, { $set: { attempts: times(50, () => attempt) } });

  const source = brotliCompressSync(largeContent(30_000_000), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 0 },
  });
  const page = { kind: 'html' as const, baseUrl: 'https://example.com/', source: source.toString('base64') };
  const snapshotId = await snapshots.insertSnapshot({
    accountId,
    page,
    now: new Date(),
    retentionMs: 3_600_000,
    quotaBytes: 1e9,
  });
  const smallSnapshotId = await snapshots.insertSnapshot({
    accountId,
    page: packedPage('<title>A page</title>'),
    now: new Date(),
    retentionMs: 3_600_000,
    quotaBytes: 1e9,
  });
  await snapshots.insertPageSnapshots(
    [
      {
        id: createId('snp'),
        accountId,
        jobId: wide.id,
        url: 'https://example.com/',
        page: { ...page, statusCode: 200, engine: 'http' },
      },
    ],
    { now: new Date(), retentionMs: 3_600_000 },
  );
  const records = times(1000, (index) => ({
    isbn: index === 0 ? LARGE_DATASET : String(index),
    text: TEXT.repeat(1000),
  }));
  await seedRecords(stores, accountId, LARGE_DATASET, records);
  for (const [version] of times(100, () => 0).entries()) {
    const record = { isbn: LARGE_DATASET, version, text: TEXT.repeat(1000) };
    await seedRecords(stores, accountId, LARGE_DATASET, [record]);
  }
  const fileId = createId('fil');
  const file = { owner: { id: fileId, accountId }, keeping: { now: new Date(), retentionMs: 3_600_000 } };
  for (let index = 0; index < 32; index += 1) {
    const content = randomBytes(FILE_PART_BYTES);
    await stores.files.insertPart(file.owner, { index, content }, file.keeping);
  }
  const traits = { name: 'large.bin', contentType: 'application/octet-stream', sha256: 'f'.repeat(64) };
  await stores.files.finishFile(file.owner, { ...traits, size: 32 * FILE_PART_BYTES }, file.keeping);
  let keyId = '';
  for (let count = 0; count < 100; count += 1)
    ({ id: keyId } = await keys.createKey({ accountId, scopes: [] }));
  const ofPages = { snapshotId, smallSnapshotId, fileId, requestId };
  const ofRecipes = await seedRecipes(stores, accountId);
  return { wide, heavy, changed, schedule, textRuns, deliveryId, ...ofPages, ...ofRecipes, keyId };
}

/** Stores recipes with many patterns, and one with many tests. */
async function seedRecipes(
  { recipes }: Pick<Stores, 'recipes'>,
  accountId: string,
): Promise<Pick<LargeData, 'recipeId' | 'testPage'>> {
  const now = new Date();
  const text = largeContent(900_000);
  const source = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
  const testPage = createHash('sha256').update(text).digest('hex');
  const page = {
    accountId,
    sha256: testPage,
    textBytes: Buffer.byteLength(text),
    source,
    bytes: source.length,
  };
  await recipes.keepPage(page, Number.MAX_SAFE_INTEGER, now);
  const tests = times(50, (index) => ({
    name: `${index}`,
    expect: { text: 'x'.repeat(10_000) },
    page: testPage,
    bytes: text.length,
  }));
  const recipeId = createId('rec');
  const common = { accountId, version: 1, optionsJson: '{}', createdAt: now, updatedAt: now };
  const pages = tests.map((test) => test.page);
  const testsJson = JSON.stringify(tests);
  await recipes.insertRecipe({
    ...common,
    id: recipeId,
    name: 'large',
    match: [`${RECIPES_URL}**`],
    testsJson,
    pages,
  });
  for (let index = 0; index < 50; index += 1) {
    const match = times(20, (at) => `${RECIPES_URL}**/${'a/**/'.repeat(at)}${index}/**/b`);
    const own = { id: createId('rec'), name: `${index}`, match, testsJson: '[]', pages: [] };
    await recipes.insertRecipe({ ...common, ...own });
  }
  return { recipeId, testPage };
}

/** A text of so many characters that compresses to a fraction of them, and not to nothing. */
export function largeContent(characters: number): string {
  let text = '';
  for (let index = 0; text.length < characters; index += 1) text += `<p>${index * 7919} ${TEXT}`;
  return text.slice(0, characters);
}

function pageLike(page: object | null, jobId: string, index: number) {
  const url = `https://example.com/a/path/of/a/page/of/a/shop/${index}?page=${index}`;
  return { ...page, _id: pageIdOf(jobId, index) as never, index, url, state: 'succeeded', attempt: 1 };
}
