import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Candidate } from '../src/dispatch/candidate.ts';
import { HostPaces } from '../src/dispatch/host-pace.ts';
import { inTurns, type PagesAhead, readTurns } from '../src/dispatch/read-turns.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const HOSTS = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'];
const HOUR_MS = 3_600_000;

let bed: TestBed;
let paces: HostPaces;
let job: PagesAhead<Candidate>;

beforeEach(async () => {
  bed = await startTestBed();
  paces = new HostPaces({ maxPagesPerHost: 8, hostDelayMs: 0, maxPauseMs: HOUR_MS });
  const { id } = await storeJob();
  job = { id, waiting: [], afterHost: '' };
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

/** Stores a job with thirty pages of each host, one host after the other. */
async function storeJob() {
  const id = await bed.storeJob(0);
  const urls = HOSTS.flatMap((host) => urlsOf(30, host));
  const pages = urls.map((url, index) => ({ index, url, host: new URL(url).host }));
  await bed.stores.pages.insertPages(id, pages, new Date(Date.now() + HOUR_MS));
  return { id };
}

/** Pauses all hosts but the last. */
function pauseHosts(): void {
  const nowMs = Date.now();
  for (const host of HOSTS.slice(0, -1)) paces.pause(host, nowMs + HOUR_MS, nowMs);
}

function read(wanted: number, maxAhead = 600) {
  return readTurns(job, {
    paces,
    nowMs: Date.now(),
    wanted,
    maxAhead,
    pages: bed.stores.pages,
    dueBy: new Date(),
    admit: async (pages) => pages,
    toPage: ({ id, host, losses }): Candidate => ({ id, host, losses, notBeforeMs: 0 }),
  });
}

function hostsOf(pages: readonly Candidate[]): string[] {
  return [...new Set(pages.map(({ host }) => host))];
}

describe('reading ahead', () => {
  it('reads no more hosts than give the wanted pages, and continues after them', async () => {
    const first = await read(16, 120);
    expect(hostsOf(first.waiting)).toEqual(HOSTS.slice(0, 2));
    expect(first).toMatchObject({ afterHost: 'b.test', hasMore: true });
    job = { ...job, ...first, waiting: [] };
    expect(hostsOf((await read(16, 120)).waiting)).toEqual(HOSTS.slice(2, 4));
  });

  it('goes past hosts that take no page, and says when it has looked at all of them', async () => {
    pauseHosts();
    const { waiting, hasMore } = await read(60);
    const byHost = Map.groupBy(waiting, ({ host }) => host);
    expect(HOSTS.map((host) => byHost.get(host)?.length)).toEqual([20, 20, 20, 20, 30]);
    expect(hasMore).toBe(false);
  });

  it('starts over after the last host, and stops where it began', async () => {
    job = { ...job, afterHost: 'c.test' };
    const { waiting, hasMore } = await read(1000);
    expect(hostsOf(waiting).toSorted()).toEqual(HOSTS);
    expect(new Set(waiting.map(({ id }) => id)).size).toBe(waiting.length);
    expect(hasMore).toBe(false);
  });

  it('drops pages of hosts that take none when others need their room', async () => {
    pauseHosts();
    const { waiting } = await read(8, 24);
    expect(waiting.length).toBeLessThanOrEqual(24);
    expect(waiting.filter(({ host }) => host === 'e.test').length).toBeGreaterThan(0);
  });

  it('gives each host its turn, and keeps the order within a host', () => {
    const pages = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((id) => ({
      id,
      host: id.charAt(0),
      notBeforeMs: 0,
      losses: 0,
    }));
    expect(inTurns(pages).map(({ id }) => id)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });
});
