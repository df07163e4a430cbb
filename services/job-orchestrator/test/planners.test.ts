import { hostHashOf, hostShareOf } from '@gleaner/storage';
import { eventually, startWatchedProcess } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { roleOf } from '../src/planners/members.ts';
import { found, type ScriptedPage, type ScriptedScraper } from './scripted-scraper.ts';
import { crawling } from './scripted-site.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const PLANNERS = 2;
const SLOTS = 40;
/** Times that all slots are taken before pages go on. */
const ROUNDS = 25;
const WAIT_MS = 200_000;
const MAIN = new URL('../src/main.ts', import.meta.url);
const hosts = Array.from({ length: 24 }, (_, index) => `h${index}.test`);

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper(SLOTS);
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Starts an orchestrator in a process of its own; disposing kills it. */
function startProcess(env: Readonly<Record<string, string>> = {}) {
  return startWatchedProcess(MAIN, { ...bed.env, DISPATCH_PLANNERS: String(PLANNERS), ...env });
}

/** Resolves with the owner of each planner once so many processes have one. */
function untilOwners(processes: number): Promise<string[]> {
  return eventually(
    async () => {
      const roles = Array.from({ length: PLANNERS }, (_, planner) => roleOf(planner, PLANNERS));
      const leases = await bed.database.models.leases
        .find({ _id: { $in: roles } })
        .sort({ _id: 1 })
        .lean();
      const held = leases.filter(({ until }) => until > bed.stores.clock.now());
      expect(held).toHaveLength(PLANNERS);
      const owners = held.map(({ owner }) => owner);
      expect(new Set(owners).size).toBe(processes);
      return owners;
    },
    { timeoutMs: WAIT_MS },
  );
}

function plannerOf(host: string): number {
  const { below } = hostShareOf(0, PLANNERS);
  return hostHashOf(host) < below ? 0 : 1;
}

function hostOf({ body }: Pick<ScriptedPage, 'body'>): string {
  return new URL(body.request.url).host;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('planners of two orchestrators', () => {
  it('leave the hosts of one that died to the other, none of them asked sooner than its delay, and no page twice', async () => {
    const delay = 200;
    const site = crawling({
      pages: Object.fromEntries([...Array(10).keys()].map((page) => [`/${page}`, { links: [] }])),
    });
    const endedAtMs = new Map<string, number>();
    const tooSoon: string[] = [];
    const startedAt = new Map<string, number[]>();
    scraper.follow(async (page) => {
      const host = hostOf(page);
      const nowMs = performance.now();
      startedAt.set(host, [...(startedAt.get(host) ?? []), nowMs]);
      // The clock by which the delay is kept tells whole milliseconds.
      if (nowMs - (endedAtMs.get(host) ?? Number.NEGATIVE_INFINITY) < delay - 2) tooSoon.push(host);
      await pause(20);
      endedAtMs.set(host, performance.now());
      return await site(page);
    });
    await using _survivor = await startProcess({ QUEUE_PATIENCE_MS: '30000' });
    await using victim = await startProcess({ QUEUE_PATIENCE_MS: '30000' });
    const before = await untilOwners(2);
    const crawl = { delay, robots: 'ignore', sitemap: 'skip' } as const;
    const job = await bed.create({ urls: hosts.flatMap((host) => urlsOf(10, host)), crawl, timeout: 4000 });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(60), { timeoutMs: WAIT_MS });
    await victim[Symbol.asyncDispose]();
    const diedAtMs = performance.now();
    const after = await untilOwners(1);
    expect(await bed.untilJob(job.id, 'completed', WAIT_MS)).toMatchObject({ completedUrls: 240 });
    expect(tooSoon).toEqual([]);
    expect(scraper.commands.map(({ pageId }) => pageId).sort()).toEqual(
      [...new Set(scraper.commands.map(({ pageId }) => pageId))].sort(),
    );
    const orphans = hosts.filter((host) => before[plannerOf(host)] !== after[plannerOf(host)]);
    expect(orphans.length).toBeGreaterThan(0);
    for (const host of orphans) expect(startedAt.get(host)?.at(-1)).toBeGreaterThan(diedAtMs);
  });

  it('give accounts the same share, and together keep the limits of jobs and hosts', async () => {
    const lanes = new Map<string, number>();
    const inFlight = new Map<string, number>();
    const shares = new Map<string, number>();
    const peaks = { ofJob: 0, ofHost: 0 };
    const change = (counts: Map<string, number>, name: string, by: number) => {
      counts.set(name, (counts.get(name) ?? 0) + by);
      return counts.get(name) ?? 0;
    };
    const waiting: { readonly jobId: string; readonly resume: () => void }[] = [];
    let rounds = 0;
    scraper.follow(async (page) => {
      const { jobId } = page.body;
      if (page.body === page.lane[0]) peaks.ofJob = Math.max(peaks.ofJob, change(lanes, jobId, 1));
      peaks.ofHost = Math.max(peaks.ofHost, change(inFlight, hostOf(page), 1));
      // Pages go on only when all slots are taken, so the load of the machine changes nothing.
      await new Promise<void>((resume) => {
        waiting.push({ jobId, resume });
        if (waiting.length < (rounds < ROUNDS ? SLOTS : 1)) return;
        rounds += 1;
        for (const each of waiting.splice(0)) {
          // One job began before the other.
          if (rounds > 5 && rounds <= ROUNDS) change(shares, each.jobId, 1);
          each.resume();
        }
      });
      change(inFlight, hostOf(page), -1);
      if (page.body === page.lane.at(-1)) change(lanes, jobId, -1);
      return found(page.body);
    });
    const settings = {
      PAGES_PER_SCRAPER: String(SLOTS),
      MAX_PAGES_PER_JOB: '30',
      MAX_PAGES_PER_HOST: '6',
      // Long enough for a busy machine: a planner that has lost its lease counts each page in flight as a lane afterwards.
      DISPATCH_LEASE_MS: '30000',
    };
    await using _one = await startProcess(settings);
    await using _other = await startProcess(settings);
    await untilOwners(2);
    // All hosts of one account belong to one planner.
    const few = hosts.filter((host) => plannerOf(host) === 0).slice(0, 8);
    const urlsOn = (all: readonly string[]) => all.flatMap((host) => urlsOf(960 / all.length, host));
    const accountId = await bed.addAccount();
    await bed.create({ urls: urlsOn(few), timeout: 60_000 });
    await bed.create({ urls: urlsOn(hosts), timeout: 60_000 }, { accountId });
    await eventually(() => expect(rounds).toBeGreaterThan(ROUNDS), { timeoutMs: WAIT_MS });
    expect(shares.size).toBe(2);
    expect(Math.max(...shares.values()) / Math.min(...shares.values())).toBeLessThan(1.05);
    expect(peaks.ofJob).toBeLessThanOrEqual(30);
    expect(peaks.ofHost).toBeLessThanOrEqual(6);
  });

  it('fetch every page once after their number has changed, also pages of earlier versions', async () => {
    scraper.follow(async ({ body }) => {
      await pause(20);
      return found(body);
    });
    const first = await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1' });
    const job = await bed.create({ urls: hosts.flatMap((host) => urlsOf(20, host)) });
    await eventually(() => expect(scraper.commands.length).toBeGreaterThan(20));
    await first.stop(AbortSignal.timeout(30_000));
    // As pages of earlier versions.
    await bed.database.models.pages.updateMany({}, { $unset: { hostHash: 1 } });
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1', DISPATCH_PLANNERS: '3' });
    await bed.startOrchestrator({ MAX_PAGES_PER_HOST: '1', DISPATCH_PLANNERS: '3' });
    expect(await bed.untilJob(job.id, 'completed', WAIT_MS)).toMatchObject({ completedUrls: 480 });
    expect(scraper.commands).toHaveLength(480);
  });
});
