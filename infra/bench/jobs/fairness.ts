import type { Stack } from '../../stack/start-stack.ts';
import { percentile, SHARES, timed } from '../figures.ts';
import { createJob, pagesOf, readJob, scrape, untilEnded } from './ask-gleaner.ts';
import { FIELD_SETS, withPagesStack } from './workload.ts';

const LARGE_JOB_PAGES = 10_000;
/** Warm-up before each sample: code gets compiled, and every process works on the large job. */
const WARM_UP_ROUNDS = 40;
const ROUNDS = 100;
const POLL_MS = 10;

/** Latencies of a small caller, in milliseconds. */
type Times = Record<'one-URL job' | 'scrape', number[]>;

/** Measures how much longer a scrape and a job of one URL take while a job of 10,000 URLs of the same host runs. */
export async function benchFairness(): Promise<void> {
  await withPagesStack(async (stack, originUrl) => {
    await sample(stack, originUrl, WARM_UP_ROUNDS);
    const idle = await sample(stack, originUrl, ROUNDS);
    const place = await createJob(stack, {
      urls: pagesOf(originUrl, LARGE_JOB_PAGES),
      selectors: FIELD_SETS.lists,
    });
    await sample(stack, originUrl, WARM_UP_ROUNDS);
    const busy = await sample(stack, originUrl, ROUNDS);
    const { completedUrls, totalUrls } = await readJob(stack, place);
    report(idle, busy);
    console.log(`fairness  the large job had ${totalUrls - completedUrls} pages to go at the end`);
  });
}

async function sample(stack: Stack, originUrl: string, rounds: number): Promise<Times> {
  const times: Times = { 'one-URL job': [], scrape: [] };
  for (let round = 0; round < rounds; round++) {
    const url = originUrl + round;
    const job = { urls: [url], selectors: FIELD_SETS.lists };
    const runJob = async () => untilEnded(stack, await createJob(stack, job), { pollMs: POLL_MS });
    times['one-URL job'].push(await timed(runJob));
    times.scrape.push(await timed(() => scrape(stack, { url, selectors: FIELD_SETS.lists })));
  }
  return times;
}

function report(idle: Times, busy: Times): void {
  for (const what of Object.keys(idle) as (keyof Times)[]) {
    for (const [label, share] of Object.entries(SHARES)) {
      const idleMs = percentile(idle[what], share);
      const busyMs = percentile(busy[what], share);
      const ratio = (busyMs / idleMs).toFixed(2);
      console.log(
        `fairness  ${what.padEnd(11)} ${label}  idle ${idleMs.toFixed(0)} ms  beside ${LARGE_JOB_PAGES} pages ` +
          `${busyMs.toFixed(0)} ms  ratio ${ratio}`,
      );
    }
  }
}
