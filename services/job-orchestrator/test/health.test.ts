import { brotliCompressSync } from 'node:zlib';
import {
  AppError,
  createId,
  defined,
  type ExtractedData,
  type PackedPage,
  type PageCommand,
  type PageKind,
  type SelectorMap,
  toFailure,
} from '@gleaner/contracts';
import type { HealthReport } from '@gleaner/storage';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { measureRun } from '../src/review/measure-run.ts';
import { judgeSchedule } from '../src/review/watch-health.ts';
import { found, foundAs, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;

beforeAll(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
  // A planner that has lost its lease reads the health of schedules again.
  await bed.startOrchestrator({ DISPATCH_LEASE_MS: '60000' });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

const GOOD = { price: '£1.00' };
const LOST = { price: null };

/** Runs a schedule once, with these data on each of its pages, and returns the job. */
async function run(
  scheduleId: string,
  data: ExtractedData,
  { kind = 'content' as PageKind, pages = 1, status = 'completed' as const, options = {} } = {},
) {
  scraper.follow(({ body }) => {
    const isKept = body.request.snapshot === true || (body.evidence ?? []).includes(body.pageId);
    const page = { ...foundAs(kind, body), dataJson: JSON.stringify(data) };
    return { ...page, ...(isKept && { snapshot: snapshotOf(body, data) }) } as never;
  });
  const request = { urls: urlsOf(pages), selectors: { price: '.price' }, ...options };
  const { id } = await bed.create(request, { scheduleId });
  await bed.untilJob(id, status);
  const [job] = await bed.stores.jobs.findJobs([id]);
  if (!job) throw new Error('The job is gone.');
  return job;
}

function snapshotOf({ request }: Pick<PageCommand, 'request'>, data: ExtractedData): PackedPage {
  const source = brotliCompressSync(JSON.stringify(data)).toString('base64');
  return { kind: 'html', baseUrl: request.url, source };
}

async function stateOf(scheduleId: string) {
  const stored = await bed.stores.health.findHealth(scheduleId);
  if (!stored) throw new Error('The schedule has no health.');
  return { ...stored, report: JSON.parse(stored.reportJson) as HealthReport };
}

/** Returns the schedule after this many good runs. */
async function established(runs = 3, options: Parameters<typeof run>[2] = {}) {
  const scheduleId = createId('sch');
  for (let count = 0; count < runs; count += 1) await run(scheduleId, GOOD, options);
  return scheduleId;
}

const changeOf = ({ healthJson }: { healthJson?: string }) =>
  healthJson === undefined ? undefined : JSON.parse(healthJson);

describe('the health of a schedule', () => {
  it('is read once when a run is reviewed, and nothing is read or written of rules and records that it has not', async () => {
    const scheduleId = await established(2);
    const commands: string[] = [];
    const client = bed.database.models.jobs.db.getClient();
    const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }) =>
      commands.push(`${commandName} ${String(command[commandName])}`);
    const { models } = bed.database;
    scraper.follow(({ body }) => {
      client.on('commandStarted', note);
      return { ...foundAs('content', body), dataJson: JSON.stringify(GOOD) } as never;
    });
    const { id } = await bed.create({ urls: urlsOf(1), selectors: { price: '.price' } }, { scheduleId });
    await bed.untilJob(id, 'completed');
    client.off('commandStarted', note);
    const touched = ({ collection }: { readonly collection: { readonly name: string } }) =>
      commands.filter((command) => command.endsWith(` ${collection.name}`));
    expect(touched(models.health)).toEqual([
      `find ${models.health.collection.name}`,
      `update ${models.health.collection.name}`,
    ]);
    for (const model of [models.rules, models.tellings, models.records]) expect(touched(model)).toEqual([]);
  });

  it('is broken from the second run without a value, which alone says so, until it has one again', async () => {
    const scheduleId = await established();
    expect(await stateOf(scheduleId)).toMatchObject({ health: 'ok', accountId: bed.accountId });
    const runs = [];
    for (const data of [LOST, LOST, LOST, LOST, GOOD, GOOD]) runs.push(await run(scheduleId, data));
    const field = { path: 'price', measure: 'fill', before: 1 };
    expect(runs.map(changeOf)).toEqual([
      undefined,
      { health: 'broken', fell: [{ ...field, now: 0 }], recovered: [] },
      undefined,
      undefined,
      { health: 'ok', fell: [], recovered: [{ ...field, now: 1 }] },
      undefined,
    ]);
    expect(await stateOf(scheduleId)).toMatchObject({ health: 'ok', revision: 9, report: { runs: 9 } });
  });

  it('falls by a required field that pages lack, although they fail, and not by pages of another kind', async () => {
    const options = { selectors: { price: { selector: '.price', required: true }, title: 'h1' } };
    const scheduleId = createId('sch');
    const data = { price: '£1.00', title: 'A' };
    for (let count = 0; count < 3; count += 1) await run(scheduleId, data, { options });
    const lacking = async (verdict: PageKind | undefined) => {
      const details = [{ path: 'selectors.price', message: 'nothing in the page matches it' }];
      const error = new AppError('REQUIRED_FIELD_MISSING', { details, ...defined({ verdict }) });
      scraper.follow(({ body }) => ({
        kind: 'failed',
        failure: toFailure(error),
        ...((body.evidence ?? []).includes(body.pageId) && { snapshot: snapshotOf(body, LOST) }),
      }));
      const { id } = await bed.create({ urls: urlsOf(1), ...options }, { scheduleId });
      await bed.untilJob(id, 'failed');
      const [job] = await bed.stores.jobs.findJobs([id]);
      return job && changeOf(job);
    };
    for (const verdict of ['login', 'login', undefined, undefined] as const)
      expect(await lacking(verdict)).toBeUndefined();
    expect((await stateOf(scheduleId)).revision).toBe(3);
    const fall = { path: 'price', measure: 'fill', before: 1, now: 0 };
    expect([await lacking('content'), await lacking('content')]).toEqual([
      undefined,
      { health: 'broken', fell: [fall], recovered: [] },
    ]);
    const { good, bad } = (await stateOf(scheduleId)).report;
    expect([good, bad].map((pages) => pages.map(({ url }) => url))).toEqual([urlsOf(1), urlsOf(1)]);
    expect(await bed.database.models.snapshots.countDocuments({ scheduleId })).toBe(2);
    const back = await run(scheduleId, data, { options });
    expect(changeOf(back)).toMatchObject({ health: 'ok', recovered: [{ path: 'price' }] });
  });

  it('does not count pages of another kind', async () => {
    const scheduleId = await established();
    for (const kind of ['login', 'wall', 'login'] as const)
      expect((await run(scheduleId, LOST, { kind })).healthJson).toBeUndefined();
    expect(await stateOf(scheduleId)).toMatchObject({ health: 'ok', revision: 3 });
    expect(await bed.stores.snapshots.findEvidence({ scheduleId, runId: 'none' }, [])).toEqual(new Map());
  });

  it('does not change the data: a field that is lost is not compared, and what is beside it is', async () => {
    const scheduleId = createId('sch');
    const options = { selectors: { price: '.price', title: 'h1' } };
    const changes: unknown[] = [];
    const data = [
      ...Array(3).fill({ price: '£1', title: 'A' }),
      ...[
        { price: null, title: 'A' },
        { price: null, title: 'B' },
        { price: '£1', title: 'B' },
      ],
      { price: '£2', title: 'B' },
    ];
    for (const each of data) {
      const { id, comparison } = await run(scheduleId, each, { options });
      const texts = await bed.stores.changes.find(id, { offset: 0, limit: 10 });
      expect(comparison?.changed ?? 0).toBe(texts.length);
      changes.push(texts.map((text) => JSON.parse(text).path));
    }
    expect(changes).toEqual([[], [], [], [], ['title'], [], ['price']]);
  });

  /** Runs a schedule once with each of these data; returns the changes of each run. */
  async function changesOf(
    scheduleId: string,
    data: readonly (ExtractedData | SelectorMap)[],
    selectors: SelectorMap,
  ) {
    const changes: unknown[] = [];
    for (const each of data) {
      const { id } = await run(scheduleId, each as ExtractedData, { options: { selectors } });
      const texts = await bed.stores.changes.find(id, { offset: 0, limit: 20 });
      changes.push(
        texts.map((text) => {
          const { path, kind, before, after } = JSON.parse(text);
          return [path, kind, before, after];
        }),
      );
    }
    return changes;
  }

  const shop = (first: string | null, second: string | null, title = 'Emma') => ({
    title,
    books: [
      { id: 'a', price: first },
      { id: 'b', price: second },
    ],
  });
  const SHOP: SelectorMap = {
    title: 'h1',
    books: { selector: '.book', all: true, fields: { id: '.id', price: '.price' } },
  };
  const RENAMED: SelectorMap = {
    ...SHOP,
    books: { selector: '.book', all: true, fields: { id: '.id', price: '.cost' } },
  };

  it('tells of a value that changed while its selector was broken, against the last good run', async () => {
    const scheduleId = createId('sch');
    const good = shop('£1', '£2');
    const before = await changesOf(
      scheduleId,
      [good, good, good, shop(null, null), shop(null, null, 'Kim')],
      SHOP,
    );
    expect(before).toEqual([[], [], [], [], [['title', 'changed', 'Emma', 'Kim']]]);
    const after = await changesOf(scheduleId, [shop('£1', '£3', 'Kim'), shop('£1', '£3', 'Kim')], RENAMED);
    expect(after).toEqual([[['books[b].price', 'changed', '£2', '£3']], []]);
    const [last] = await bed.stores.jobs.findJobs([(await stateOf(scheduleId)).report.lastJobId]);
    expect(last?.comparison).toMatchObject({ added: 0, removed: 0, changed: 0 });
  });

  it('tells of the records of a list that changed while the list was not found', async () => {
    const scheduleId = createId('sch');
    const good = shop('£1', '£2');
    const lost = { title: 'Emma', books: [] };
    await changesOf(scheduleId, [good, good, good, lost, lost], SHOP);
    const added = { id: 'c', price: '£9' };
    const back = { title: 'Emma', books: [...good.books.slice(1), added] };
    expect(await changesOf(scheduleId, [back, back], SHOP)).toEqual([
      [
        ['books[a]', 'removed', { id: 'a', price: '£1' }, undefined],
        ['books[c]', 'added', undefined, added],
      ],
      [],
    ]);
  });

  it('holds back a field that all records lose at once from the first run, also soon after an acceptance', async () => {
    const scheduleId = createId('sch');
    const good = shop('£1', '£2');
    await changesOf(scheduleId, [good, good, good, shop(null, null), shop(null, null)], SHOP);
    const renamed = await changesOf(scheduleId, [good, shop(null, null), shop(null, null)], RENAMED);
    expect(renamed).toEqual([[], [], []]);
    const state = await stateOf(scheduleId);
    expect(state.report.fields[0]).toMatchObject({ path: 'books.price', health: 'broken' });
    const again: SelectorMap = {
      ...RENAMED,
      books: { selector: '.book', all: true, fields: { id: '.id', price: '.now' } },
    };
    expect(await changesOf(scheduleId, [shop('£1', '£4')], again)).toEqual([
      [['books[b].price', 'changed', '£2', '£4']],
    ]);
  });

  it('keeps a page that shows a field until another one does', async () => {
    const scheduleId = createId('sch');
    const options = { selectors: { price: '.price', title: 'h1' } };
    await run(scheduleId, { price: '£1', title: 'A' }, { options });
    await run(scheduleId, { price: '£1', title: 'A' }, { options });
    const { good } = (await stateOf(scheduleId)).report;
    expect(good).toHaveLength(1);
    // Not enough runs to call the price lost: it may be gone.
    await run(scheduleId, { price: null, title: 'B' }, { options });
    expect((await stateOf(scheduleId)).report.good).toEqual(good);
    await run(scheduleId, { price: '£2', title: 'B' }, { options });
    const next = (await stateOf(scheduleId)).report.good;
    expect(next).toHaveLength(1);
    expect(next).not.toEqual(good);
  });

  it('keeps the last good and the first bad pages, and no others', async () => {
    const scheduleId = await established(3, { pages: 5 });
    const kept = async () => {
      const { good, bad } = (await stateOf(scheduleId)).report;
      const pages = [...good, ...bad];
      const ids = await bed.stores.snapshots.findKept(
        pages.map(({ snapshotId }) => snapshotId),
        new Date(),
      );
      expect(ids.size).toBe(pages.length);
      expect(await bed.database.models.snapshots.countDocuments({ scheduleId })).toBe(pages.length);
      return { good: good.map(({ url }) => url), bad: bad.map(({ url }) => url) };
    };
    // One page shows all fields there are.
    expect(await kept()).toEqual({ good: urlsOf(1), bad: [] });
    await run(scheduleId, LOST, { pages: 5 });
    expect(await kept()).toEqual({ good: urlsOf(1), bad: urlsOf(1) });
    const { bad } = (await stateOf(scheduleId)).report;
    await run(scheduleId, LOST, { pages: 5 });
    expect((await stateOf(scheduleId)).report.bad).toEqual(bad);
    await kept();
    await run(scheduleId, GOOD, { pages: 5 });
    expect(await kept()).toEqual({ good: urlsOf(1), bad: [] });
  });

  it('keeps pages without naming them in results, and names those that a job asks for', async () => {
    const scheduleId = createId('sch');
    const snapshotIdsOf = async (jobId: string) => {
      const pages = await bed.stores.pages.findProcessed(jobId, { limit: 10 });
      const results = await bed.stores.results.findResults(pages);
      return pages.map(({ id }) => JSON.parse(results.get(id) ?? '{}').snapshotId);
    };
    const { id } = await run(scheduleId, GOOD);
    expect(await snapshotIdsOf(id)).toEqual([undefined]);
    const own = await run(scheduleId, GOOD, { options: { snapshot: true } });
    const [snapshotId] = await snapshotIdsOf(own.id);
    expect((await stateOf(scheduleId)).report.good).toMatchObject([{ snapshotId }]);
  });

  it('is changed once by a run that two processes judge, and that is judged again', async () => {
    const scheduleId = await established();
    const first = await run(scheduleId, LOST);
    const [job] = await bed.stores.jobs.findJobs([first.id]);
    if (!job) throw new Error('The job is gone.');
    const deps = { stores: bed.stores, evidenceMs: 60_000 };
    const measured = await measureRun(job, deps, new AbortController().signal);
    const next = { ...job, id: createId('job'), scheduleId };
    const changes = await Promise.all(Array.from({ length: 4 }, () => judgeSchedule(next, measured, deps)));
    for (const change of [...changes, await judgeSchedule(next, measured, deps)])
      expect(change).toMatchObject({ change: { health: 'broken', fell: [{ path: 'price' }] } });
    expect(await stateOf(scheduleId)).toMatchObject({ revision: 5 });
  });

  it('is left to another attempt where other runs are always judged first', async () => {
    const scheduleId = await established();
    const job = await run(scheduleId, LOST);
    const { health } = bed.stores;
    const replaceHealth: typeof health.replaceHealth = async (...given) => {
      await bed.database.models.health.updateOne({ _id: scheduleId }, { $inc: { revision: 1 } });
      return await health.replaceHealth(...given);
    };
    const deps = { stores: { ...bed.stores, health: { ...health, replaceHealth } }, evidenceMs: 60_000 };
    const measured = await measureRun(job, deps, new AbortController().signal);
    const judging = judgeSchedule({ ...job, id: createId('job'), scheduleId }, measured, deps);
    await expect(judging).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('announces a fall of a run that was cancelled after it had been judged', async () => {
    const scheduleId = await established();
    await run(scheduleId, LOST);
    const release = Promise.withResolvers<void>();
    scraper.follow(async ({ body }) => {
      await release.promise;
      return found(body);
    });
    const { id } = await bed.create({ urls: urlsOf(1), selectors: { price: '.price' } }, { scheduleId });
    await bed.untilJob(id, 'running');
    const [job] = await bed.stores.jobs.findJobs([id]);
    const [last] = await bed.stores.jobs.findJobs([(await stateOf(scheduleId)).report.lastJobId]);
    if (!job || !last) throw new Error('The jobs are gone.');
    const deps = { stores: bed.stores, evidenceMs: 60_000 };
    const measured = await measureRun(last, deps, new AbortController().signal);
    await judgeSchedule({ ...job, scheduleId }, measured, deps);
    await bed.cancel(id);
    release.resolve();
    await eventually(async () => {
      const [ended] = await bed.stores.jobs.findJobs([id]);
      expect(ended).toMatchObject({ status: 'cancelled', completedAt: expect.any(Date) });
      expect(ended && changeOf(ended)).toMatchObject({ fell: [{ path: 'price' }] });
    });
  });
});

describe('a job with expectations', () => {
  const expecting = (expectation: object) => ({
    selectors: { price: { selector: '.price', ...expectation } },
  });

  async function create(data: readonly ExtractedData[], request: object, kind: PageKind = 'content') {
    scraper.follow(({ body }) => {
      const own = data[Number(new URL(body.request.url).pathname.slice(1))] ?? LOST;
      return { ...foundAs(kind, body), dataJson: JSON.stringify(own) } as never;
    });
    return (await bed.create({ urls: urlsOf(data.length), ...request })).id;
  }

  it('is partial where they are broken, and says by which field', async () => {
    const id = await create([GOOD, GOOD, LOST, LOST], expecting({ expect: { fill: 0.9 } }));
    expect(await bed.untilJob(id, 'partial')).toMatchObject({
      failedUrls: 0,
      creditsUsed: 4,
      warnings: [
        {
          field: 'price',
          code: 'EXPECTATION_FAILED',
          message: 'The field has a value in 50 % of its places; at least 90 % were expected.',
        },
      ],
    });
  });

  it('is completed where they are met, and where no page is content', async () => {
    const met = await create([GOOD, GOOD, LOST], expecting({ expect: { fill: 0.6 } }));
    expect(await bed.untilJob(met, 'completed')).not.toHaveProperty('warnings');
    const login = await create([LOST], expecting({ expect: { fill: 1 } }), 'login');
    await bed.untilJob(login, 'completed');
  });

  it('is partial where a list is too short', async () => {
    const short = expecting({ all: true, expect: { min: 3 } });
    const id = await create([{ price: ['£1', '£2', '£3'] }, { price: ['£1'] }], short);
    expect((await bed.untilJob(id, 'partial')).warnings).toMatchObject([
      { message: 'The field has 2 values on a page on average; at least 3 were expected.' },
    ]);
  });
});
