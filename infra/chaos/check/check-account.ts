import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import type { JobProgress } from '@gleaner/storage';
import { type ClientJob, idOf, type JobClient } from '../job-client.ts';
import type { Findings } from '../report.ts';
import { type ChaosStack, CREDITS } from '../stack/chaos-stack.ts';

export interface CheckAccountDeps {
  readonly stack: Pick<ChaosStack, 'stores'>;
  readonly client: JobClient;
  /** Credits of scrapes outside of jobs. */
  readonly scrapes?: number;
}

const CHUNK = 100;

/** Compares the account with the sum of its jobs: no further charges, no credits still held, no extra jobs. */
export async function checkAccount(
  jobs: readonly ClientJob[],
  { stack, client, scrapes = 0 }: CheckAccountDeps,
  findings: Findings,
): Promise<void> {
  const stored = await listAll(stack.stores.jobs);
  const known = new Set(jobs.map(idOf));
  const strays = stored.filter(({ id, scheduleId }) => scheduleId === undefined && !known.has(id));
  for (const { id } of strays) findings.doubled.push(`${id} is a job that no caller was told of.`);
  const logins = await stack.stores.credits.sumCharges('login ');
  const used = stored.reduce((sum, { creditsUsed }) => sum + creditsUsed, scrapes + logins.credits);
  const account = await stack.stores.accounts.findAccount(DEFAULT_ACCOUNT_ID);
  const spent = CREDITS - (account?.balance ?? 0) - (account?.reserved ?? 0);
  if (spent !== used) {
    const list = spent > used ? findings.chargedTwice : findings.other;
    list.push(`The balance fell by ${spent}, the jobs, scrapes and logins used ${used}.`);
  }
  if (account?.reserved !== 0) findings.other.push(`${account?.reserved} credits are still held.`);
  await checkKeys(jobs.slice(0, KEYS_CHECKED), client, findings);
}

const KEYS_CHECKED = 5;

/** Checks that an Idempotency-Key still names its job after all restarts, and rejects another request. */
async function checkKeys(jobs: readonly ClientJob[], client: JobClient, findings: Findings): Promise<void> {
  for (const job of jobs) {
    const again = await client.create(job);
    if (idOf(again) !== idOf(job))
      findings.doubled.push(`${idOf(job)}: its Idempotency-Key made ${idOf(again)}.`);
    const headers = { 'idempotency-key': job.idempotencyKey };
    const { status } = await client.insist('POST', '/v1/jobs', { urls: ['https://example.com/'] }, headers);
    if (status !== 422)
      findings.other.push(`${idOf(job)}: its Idempotency-Key took another request (${status}).`);
  }
}

async function listAll(store: ChaosStack['stores']['jobs']): Promise<JobProgress[]> {
  const all: JobProgress[] = [];
  for (;;) {
    const { jobs, total } = await store.listJobs(DEFAULT_ACCOUNT_ID, { limit: CHUNK, offset: all.length });
    all.push(...jobs);
    if (jobs.length === 0 || all.length >= total) return all;
  }
}
