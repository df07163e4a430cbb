import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { startWebhookReceiver } from '@gleaner/test-kit';
import { checkAccount } from '../check/check-account.ts';
import { checkJob } from '../check/check-job.ts';
import { checkQueues, untilQueuesAreEmpty } from '../check/check-queues.ts';
import { checkSchedule, createSchedule, type WatchedSchedule } from '../check/check-schedule.ts';
import { awaitingWebhook, checkWebhooks } from '../check/check-webhooks.ts';
import { type Findings, listFindings, noFindings } from '../check/findings.ts';
import { createJobClient, hasEnded, type JobClient } from '../job-client.ts';
import type { BrokerKind } from '../stack/choose-broker.ts';
import { startTokenOrigin, type TokenOrigin } from '../token-origin.ts';
import { waitUntil } from '../wait-until.ts';
import { bringVersion } from './bring-version.ts';
import { type RollingStack, startRollingStack } from './rolling-stack.ts';
import { startTraffic, type Traffic } from './traffic.ts';

/** Options of a run. */
export interface UpgradeOptions {
  /** The version that the upgrade starts from: a folder, or a commit of this repository. */
  readonly from: string;
  /** URLs of the job that runs from the beginning. */
  readonly urls: number;
  readonly brokerKind: BrokerKind;
  readonly print: (line: string) => void;
}

/** Result of a run. */
export interface UpgradeReport {
  readonly jobs: number;
  readonly scrapes: number;
  /** Calls that were answered with 503 and Retry-After, and repeated. */
  readonly refusals: number;
  readonly findings: Findings;
}

/** Everything that a run consists of. */
interface Running {
  readonly stack: RollingStack;
  readonly client: JobClient;
  readonly origin: TokenOrigin;
  readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  readonly findings: Findings;
  readonly print: (line: string) => void;
}

const CREDITS = 1_000_000;
/** Time before each service is replaced, in which old and new ones work side by side. */
const SIDE_BY_SIDE_MS = 5000;
const FINISH_WITHIN_MS = 600_000;
const AFTERMATH_MS = 120_000;

/** Replaces every service of an older version by this one while jobs and scrapes run, then checks the promises. */
export async function runUpgrade({ from, urls, brokerKind, print }: UpgradeOptions): Promise<UpgradeReport> {
  print(`Bringing ${from} …`);
  await using old = await bringVersion(from);
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-upgrade-'));
  await using origin = await disposable(await startTokenOrigin());
  await using receiver = await startWebhookReceiver();
  const stack = await startRollingStack({
    ...{ dataDir, oldFolder: old.folder, credits: CREDITS, brokerKind },
    egressAllow: [`127.0.0.1:${origin.port}`, `127.0.0.1:${receiver.port}`],
  });
  const client = createJobClient({ stack, urlOf: origin.urlOf, webhookUrl: receiver.url });
  const findings = noFindings();
  const running = { stack, client, origin, receiver, findings, print };
  try {
    const schedule = await createSchedule(origin.urlOf('schedule'), client);
    const traffic = startTraffic({ client, urlOf: origin.urlOf, urls });
    await roll(running);
    const { jobs, scrapes } = await finish(await traffic.stop(), schedule, running);
    const { refusals } = client.answers;
    return { jobs: jobs.length, scrapes, refusals, findings };
  } finally {
    await stack.stop(() => checkQueues(stack.broker, findings));
    findings.other.push(...stack.crashed.map((name) => `${name} ended by itself.`));
    if (listFindings(findings).length === 0) await rm(dataDir, { recursive: true, force: true });
    else print(`The logs and the data are kept in ${dataDir}`);
  }
}

function disposable(origin: TokenOrigin): TokenOrigin & AsyncDisposable {
  return { ...origin, [Symbol.asyncDispose]: () => origin.close() };
}

async function roll({ stack, print }: Running): Promise<void> {
  for (const service of UPGRADE_ORDER) {
    await sleep(SIDE_BY_SIDE_MS);
    const startedAtMs = performance.now();
    await stack.replace(service);
    print(`  ${service} replaced in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  }
  await sleep(SIDE_BY_SIDE_MS);
}

/** Waits until everything is over, and checks it. */
async function finish(traffic: Traffic, schedule: WatchedSchedule, running: Running): Promise<Traffic> {
  const { stack, client, receiver, findings, print } = running;
  const { jobs, scrapes, wrong } = traffic;
  findings.other.push(...wrong);
  // With the events of the new version.
  const tokens = Array.from({ length: 150 }, (_, index) => `after-${index}`);
  jobs.push(await client.create({ tokens, idempotencyKey: 'after', pages: 'plain' }));
  print(`${jobs.length} jobs and ${scrapes} scrapes; waiting for the jobs …`);
  await waitUntil(async () => {
    await Promise.all(jobs.filter((job) => !hasEnded(job)).map((job) => client.poll(job)));
    return jobs.every(hasEnded);
  }, FINISH_WITHIN_MS);
  await client.insist('POST', `/v1/schedules/${schedule.id}/pause`);
  await checkSchedule(schedule, client, findings);
  await waitUntil(async () => {
    const account = await stack.stores.accounts.findAccount(DEFAULT_ACCOUNT_ID);
    return account?.reserved === 0 && awaitingWebhook(jobs, receiver).length === 0;
  }, AFTERMATH_MS);
  for (const job of jobs) await client.poll(job);
  for (const job of jobs) await checkJob(job, running, findings);
  await checkAccount(jobs, { stack, client, creditsBefore: CREDITS, scrapes }, findings);
  await checkWebhooks(jobs, { receiver, client }, findings);
  await untilQueuesAreEmpty(stack.broker);
  const { dishonest, missing, broken } = client.answers;
  findings.other.push(...dishonest, ...missing, ...broken);
  return traffic;
}

/** Services in the order in which an upgrade replaces them, which docs/operations.md gives. */
export const UPGRADE_ORDER = [
  'job-orchestrator',
  'scheduler',
  'webhook-notifier',
  'scraper',
  'gateway',
] as const;
