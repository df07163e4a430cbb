import type { Broker } from '@gleaner/broker';
import {
  AppError,
  createId,
  type Failure,
  type Job,
  type JobCommand,
  PAGE_KINDS,
  type PageKind,
  type StoredFile,
} from '@gleaner/contracts';
import { describeJob, pageIdOf, type StoredJob, type Stores } from '@gleaner/storage';
import { eventually, untilReady } from '@gleaner/test-kit';
import { packedPage } from './scripted-snapshots.ts';

/** Handles a command for the scripted orchestrator. */
export type JobScript = (command: JobCommand) => Job | Promise<Job>;

/** An orchestrator on the real broker that follows a script of the test. */
export interface ScriptedOrchestrator {
  /** Commands that it received, in order. */
  readonly commands: JobCommand[];
  /** Replaces the script. */
  follow(script: JobScript): void;
  /** Restores the first script, which answers every create with a pending job and finds no job to cancel, and clears the commands. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts the orchestrator; it stores nothing. */
export async function startScriptedOrchestrator(broker: Broker): Promise<ScriptedOrchestrator> {
  const commands: JobCommand[] = [];
  let script: JobScript = answerPlainly;
  const subscription = broker.respond(
    'jobs.commands',
    async ({ body }) => {
      commands.push(body);
      return { job: await script(body) };
    },
    { concurrency: 10 },
  );
  await untilReady(broker);
  return {
    commands,
    follow: (next) => {
      script = next;
    },
    reset: () => {
      script = answerPlainly;
      commands.length = 0;
    },
    stop: () => subscription.stop(0),
  };
}

const answerPlainly: JobScript = (command) => {
  if (command.type === 'cancel') throw new AppError('JOB_NOT_FOUND');
  const { jobId: id, request } = command;
  return {
    id,
    name: request.name ?? 'Untitled job',
    status: 'pending',
    // Those of another job are not counted here.
    totalUrls: Math.max(1, request.urls.length),
    completedUrls: 0,
    failedUrls: 0,
    creditsUsed: 0,
    createdAt: '2026-01-31T12:00:00.000Z',
  };
};

/** One entry of a stored job: the data, formats and kind of its page, its failure, `waiting`, or a copy of an earlier page. */
export type SeededPage =
  | {
      readonly data?: object;
      readonly formats?: object;
      readonly screenshot?: Buffer;
      readonly verdict?: PageKind;
      readonly file?: StoredFile;
      readonly snapshotId?: string;
    }
  | { readonly failure: Failure }
  | { readonly copyOf: number }
  | 'waiting';

/** Stores a job as the orchestrator would: completed or partial when no page waits, else running. */
export async function seedJob(
  { jobs, pages, results, screenshots }: Stores,
  accountId: string,
  seeded: readonly SeededPage[],
  options: object = {},
): Promise<Job> {
  const id = createId('job');
  const draft = { accountId, keyId: null, name: 'Seeded', createdAt: new Date() };
  const copies = seeded.filter(isCopy);
  await jobs.insertDraft({
    id,
    ...draft,
    totalUrls: seeded.length,
    optionsJson: JSON.stringify(options),
    ...(copies.length > 0 && { distinctUrls: seeded.length - copies.length }),
  });
  const urls = seeded.map((page, index) => ({
    index,
    url: urlOf(index),
    host: 'example.com',
    ...(isCopy(page)
      ? { url: `${urlOf(page.copyOf)}#${index}`, copyOf: page.copyOf }
      : { copies: copies.filter(({ copyOf }) => copyOf === index).length }),
  }));
  const expiresAt = new Date(Date.now() + 3_600_000);
  await pages.insertPages(id, urls, expiresAt);
  await jobs.publishDrafts([id]);
  const ended = seeded.flatMap((page, index) =>
    page === 'waiting' || isCopy(page) ? [] : [{ page, index }],
  );
  await pages.claim(
    ended.map(({ index }) => pageIdOf(id, index)),
    expiresAt,
  );
  for (const { page, index } of ended) {
    if ('failure' in page) continue;
    const attempt = { id: pageIdOf(id, index), attempt: 1 };
    const { data, formats, screenshot: image, verdict, ...rest } = page;
    const screenshotId = image
      ? await screenshots.insertScreenshot({
          ...attempt,
          jobId: id,
          image,
          format: 'png',
          checkAt: expiresAt,
        })
      : undefined;
    const screenshotUrl = image && `/v1/jobs/${id}/results/${index}/screenshot`;
    const metadata = {
      ...METADATA,
      ...(verdict && { verdict: { page: verdict, basis: 'observed', signals: [] } }),
    };
    const json = JSON.stringify({ url: urlOf(index), data, formats, metadata, screenshotUrl, ...rest });
    // On a busy machine, a write of megabytes may take longer than an operation may.
    await eventually(() =>
      results.insertResults([{ ...attempt, json, screenshotId, trace: TRACE }], expiresAt),
    );
  }
  await pages.end(
    ended.map(({ page, index }) => ({
      id: pageIdOf(id, index),
      attempt: 1,
      ...('failure' in page
        ? { state: 'failed', failure: page.failure }
        : { state: 'succeeded', price: { base: 1 }, verdict: page.verdict }),
    })),
    new Date(),
  );
  return describeJob(await finish(id, seeded, jobs));
}

/** Stored trace of a page. */
export const TRACE = JSON.stringify([
  { engine: 'http', statusCode: 200, outcome: 'success', durationMs: 3, stages: { firstByte: 2, body: 1 } },
]);

/** Keeps the first page of a seeded job. */
export async function keepPageOf(
  { snapshots }: Pick<Stores, 'snapshots'>,
  { jobId, accountId }: { readonly jobId: string; readonly accountId: string },
): Promise<void> {
  const page = { ...packedPage('<title>Kept</title>'), statusCode: 200, engine: 'http' as const };
  const now = new Date();
  const url = urlOf(0);
  await snapshots.insertPageSnapshots([{ id: createId('snp'), accountId, jobId, url, page }], {
    now,
    retentionMs: 60_000,
  });
}

function isCopy(page: SeededPage | undefined): page is { readonly copyOf: number } {
  return page !== undefined && page !== 'waiting' && 'copyOf' in page;
}

async function finish(id: string, seeded: readonly SeededPage[], jobs: Stores['jobs']): Promise<StoredJob> {
  const shown = seeded.flatMap((page) => (isCopy(page) ? (seeded[page.copyOf] ?? []) : page));
  const completedUrls = shown.filter((page) => page !== 'waiting').length;
  const failedUrls = shown.filter((page) => page !== 'waiting' && 'failure' in page).length;
  const successes = seeded.filter((page) => page !== 'waiting' && !isCopy(page) && !('failure' in page));
  const countOf = (kind: PageKind) =>
    shown.filter((page) => page !== 'waiting' && 'verdict' in page && page.verdict === kind).length;
  const kinds = PAGE_KINDS.filter((kind) => countOf(kind) > 0);
  const verdicts = Object.fromEntries(kinds.map((kind) => [kind, countOf(kind)]));
  const isOver = completedUrls === seeded.length;
  const counters = {
    completedUrls,
    failedUrls,
    creditsUsed: successes.length,
    ...(kinds.length > 0 && { verdicts }),
    ...(isOver && { completedAt: new Date() }),
  };
  const to = failedUrls === 0 ? 'completed' : 'partial';
  const event = { id: createId('evt'), type: 'job.started', at: new Date() } as const;
  const change = { from: ['pending'], to: isOver ? to : 'running', set: counters, event } as const;
  const job = await jobs.transition(id, change);
  if (!job) throw new Error('The job was not stored.');
  return job;
}

function urlOf(index: number): string {
  return `https://example.com/${index}`;
}

/** Stored metadata of a page. */
export const METADATA = {
  url: 'https://example.com/',
  finalUrl: 'https://example.com/',
  statusCode: 200,
  duration: 12,
  timestamp: '2026-01-31T12:00:00.000Z',
  credits: 1,
  creditsBreakdown: { base: 1 },
  engine: 'http',
  attempts: [],
};
