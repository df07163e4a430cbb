import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_WEBHOOK_EVENTS } from '@gleaner/contracts';
import type { ClientJob, JobClient } from '../job-client.ts';

/** Clients, their site, and the size of their largest job. */
export interface TrafficOptions {
  readonly client: JobClient;
  readonly urlOf: (token: string) => string;
  /** URLs of the first job. */
  readonly urls: number;
}

/** Outcome of all calls. */
export interface Traffic {
  readonly jobs: ClientJob[];
  /** Scrapes that succeeded. */
  readonly scrapes: number;
  /** Descriptions of scrapes that did not bring the page. */
  readonly wrong: readonly string[];
}

const SCRAPERS = 3;
const SCRAPE_EVERY_MS = 100;
const JOB_EVERY_MS = 2000;
const URLS_OF_SMALL_JOBS = 40;

/** Creates jobs and makes scrapes all the time, as clients do that repeat a call after 503. */
export function startTraffic({ client, urlOf, urls }: TrafficOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const jobs: ClientJob[] = [];
  const wrong: string[] = [];
  let scrapes = 0;

  async function createJobs(): Promise<void> {
    for (let number = 0; !signal.aborted; number++) {
      const length = number === 0 ? urls : URLS_OF_SMALL_JOBS;
      const tokens = Array.from({ length }, (_, index) => `job-${number}-${index}`);
      const order = { tokens, idempotencyKey: `upgrade-${number}`, pages: 'plain' as const };
      jobs.push(await client.create({ ...order, events: DEFAULT_WEBHOOK_EVENTS }));
      await sleep(JOB_EVERY_MS, undefined, { signal }).catch(() => {});
      for (const job of jobs) await client.poll(job);
    }
  }

  async function makeScrapes(caller: number): Promise<void> {
    for (let number = 0; !signal.aborted; number++) {
      const token = `scrape-${caller}-${number}`;
      const body = { url: urlOf(token), selectors: { token: 'h1' } };
      const { status, json } = await client.insist<{ data?: { token: unknown } }>('POST', '/v1/scrape', body);
      if (status === 200 && json.data?.token === token) scrapes += 1;
      else wrong.push(`The scrape of ${token} was answered ${status}: ${JSON.stringify(json)}`);
      await sleep(SCRAPE_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  const callers = Array.from({ length: SCRAPERS }, (_, caller) => makeScrapes(caller));
  const running = Promise.all([createJobs(), ...callers]);
  return {
    /** Ends the calls, and resolves with their outcome once the last one was answered. */
    async stop(): Promise<Traffic> {
      stopping.abort();
      await running;
      return { jobs, scrapes, wrong };
    },
  };
}
