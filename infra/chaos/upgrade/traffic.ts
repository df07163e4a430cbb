import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_WEBHOOK_EVENTS } from '@gleaner/contracts';
import type { ChaosRun } from '../workload.ts';

const SCRAPERS = 3;
const SCRAPE_EVERY_MS = 100;
const JOB_EVERY_MS = 2000;
const URLS_OF_SMALL_JOBS = 40;

/** Creates jobs and makes scrapes all the time, as clients do that repeat a call after 503. */
export function startTraffic({ client, origin, urls, jobs, findings }: ChaosRun) {
  const stopping = new AbortController();
  const { signal } = stopping;
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
      const body = { url: origin.urlOf(token), selectors: { token: 'h1' } };
      const { status, json } = await client.insist<{ data?: { token: unknown } }>('POST', '/v1/scrape', body);
      if (status === 200 && json.data?.token === token) scrapes += 1;
      else findings.other.push(`The scrape of ${token} was answered ${status}: ${JSON.stringify(json)}`);
      await sleep(SCRAPE_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  const callers = Array.from({ length: SCRAPERS }, (_, caller) => makeScrapes(caller));
  const running = Promise.all([createJobs(), ...callers]);
  return {
    /** Ends the calls, and resolves with the number of scrapes once the last one was answered. */
    async stop(): Promise<number> {
      stopping.abort();
      await running;
      return scrapes;
    },
  };
}
