import { type JobState, PAGE_KINDS, type PageResult } from '@gleaner/contracts';
import { type ClientJob, hasEnded, idOf, type JobClient, type PageKind, stateOf } from '../job-client.ts';
import type { Findings } from '../report.ts';
import type { ChaosStack } from '../stack/chaos-stack.ts';
import type { TokenOrigin } from '../token-origin.ts';
import type { WorkloadKind } from '../workload.ts';

export interface CheckJobDeps {
  readonly stack: Pick<ChaosStack, 'stores'>;
  readonly client: JobClient;
  readonly origin: Pick<TokenOrigin, 'hits'>;
  readonly kind: WorkloadKind;
}

/** Time within which running pages are abandoned after the response to a cancellation. */
const CANCEL_GRACE_MS = 6000;

/** Documented prices: one credit for the page, four for rendering it. */
const CREDITS_A_PAGE: Readonly<Record<PageKind, number>> = { plain: 1, rendered: 5 };

/** Checks the promises about one job against the observations of its client, its site and the ledger. */
export async function checkJob(job: ClientJob, deps: CheckJobDeps, findings: Findings): Promise<void> {
  const { stack, client, origin } = deps;
  const id = idOf(job);
  if (!hasEnded(job)) findings.other.push(`${id} has not ended: it is ${stateOf(job)}.`);
  if (job.ids.size > 1)
    findings.doubled.push(`One Idempotency-Key made the jobs ${[...job.ids].join(', ')}.`);
  checkHistory(job, findings);
  const results = await client.results(id);
  checkResults(job, results, findings);
  const succeeded = results.filter(({ data }) => data !== null).length;
  const ledger = await stack.stores.credits.sumCharges(`${id}:`);
  const creditsUsed = succeeded * CREDITS_A_PAGE[job.pages];
  const isTooMuch = ledger.operations > succeeded || ledger.credits > creditsUsed;
  if (isTooMuch || ledger.operations < succeeded || ledger.credits < creditsUsed) {
    const list = isTooMuch ? findings.chargedTwice : findings.other;
    list.push(
      `${id}: ${succeeded} pages succeeded, ${ledger.operations} were charged, ${ledger.credits} credits.`,
    );
  }
  checkCounters(job, { total: results.length, succeeded, creditsUsed }, findings);
  // A version that an upgrade starts from may say verdicts without counting them.
  if (deps.kind !== 'upgrade') checkVerdicts(job, results, findings);
  checkCancelled(job, origin, findings);
}

interface Recount {
  readonly total: number;
  readonly succeeded: number;
  readonly creditsUsed: number;
}

function checkCounters(job: ClientJob, { total, succeeded, creditsUsed }: Recount, findings: Findings) {
  const last = job.history.at(-1);
  const expected = {
    completedUrls: total,
    failedUrls: total - succeeded,
    creditsUsed,
  };
  for (const [name, value] of Object.entries(expected)) {
    const told = last?.[name as keyof typeof expected];
    if (told !== value) findings.other.push(`${idOf(job)}: ${name} is ${told}, a recount says ${value}.`);
  }
}

/** Checks that a job counts its results by the kind of their pages as they say it themselves. */
function checkVerdicts(job: ClientJob, results: readonly PageResult[], findings: Findings): void {
  const kinds = results.flatMap((each) => ('metadata' in each ? (each.metadata.verdict?.page ?? []) : []));
  const told = job.history.at(-1)?.verdicts ?? {};
  for (const kind of PAGE_KINDS) {
    const [said, found] = [told[kind] ?? 0, kinds.filter((each) => each === kind).length];
    if (said !== found)
      findings.other.push(`${idOf(job)}: verdicts say ${said} ${kind}, a recount says ${found}.`);
  }
}

function checkResults(job: ClientJob, results: readonly PageResult[], findings: Findings): void {
  const byToken = Map.groupBy(results, ({ url }) => url.split('/').at(-1) ?? '');
  for (const token of job.tokens) {
    const [result, ...more] = byToken.get(token) ?? [];
    if (more.length > 0) findings.doubled.push(`${idOf(job)}: ${token}`);
    if (!result && stateOf(job) !== 'cancelled') findings.lost.push(`${idOf(job)}: ${token}`);
    if (!result) continue;
    const isRight = token.endsWith('-missing')
      ? 'error' in result && result.error.code === 'NOT_FOUND'
      : result.data?.token === token;
    if (!isRight) findings.other.push(`${idOf(job)}: ${token} came to ${JSON.stringify(result)}`);
  }
  const inOrder = job.tokens.filter((token) => byToken.has(token));
  const given = results.map(({ url }) => url.split('/').at(-1));
  if (inOrder.join() !== given.join()) findings.other.push(`${idOf(job)}: results are out of order.`);
}

const RANKS: Readonly<Record<JobState, number>> = {
  pending: 0,
  running: 1,
  completed: 2,
  partial: 2,
  failed: 2,
  cancelled: 2,
};

/** Checks that states only move forward, terminal states stay, and counters never fall. */
export function checkHistory({ history }: Pick<ClientJob, 'history'>, findings: Findings): void {
  for (const [index, after] of history.entries()) {
    const before = history[index - 1];
    if (!before) continue;
    const isForward = RANKS[after.status] > RANKS[before.status] || after.status === before.status;
    if (!isForward) findings.other.push(`${after.id} went from ${before.status} to ${after.status}.`);
    for (const name of ['completedUrls', 'failedUrls', 'creditsUsed'] as const) {
      if (after[name] < before[name])
        findings.other.push(`${after.id}: ${name} fell from ${before[name]} to ${after[name]}.`);
    }
  }
}

/** Entries that one route shows and the other does not. */
const FLEXIBLE = { options: undefined, results: undefined, resultsPagination: undefined };

/** Documented size up to which a job is complete when its cancellation is answered. */
const MAX_COMPLETE_URLS = 500;
/** Entries that become exact after the response to the cancellation of a larger job. */
const COUNTED = {
  completedAt: undefined,
  completedUrls: undefined,
  failedUrls: undefined,
  creditsUsed: undefined,
  verdicts: undefined,
};

/** Checks that a cancelled job fetches nothing after the response, and changes only as far as its counters become exact. */
export function checkCancelled(
  job: Pick<ClientJob, 'cancelled' | 'history' | 'tokens'>,
  { hits }: Pick<TokenOrigin, 'hits'>,
  findings: Findings,
): void {
  const { cancelled } = job;
  if (!cancelled) return;
  const lateAtMs = cancelled.atMs + CANCEL_GRACE_MS;
  const late = job.tokens.filter((token) => (hits.get(token)?.at(-1) ?? 0) > lateAtMs);
  if (late.length > 0)
    findings.other.push(`${idOf(job)}: ${late.length} pages were fetched after the cancellation.`);
  const isComplete = cancelled.job.completedAt !== undefined || cancelled.job.totalUrls <= MAX_COMPLETE_URLS;
  const flexible = isComplete ? FLEXIBLE : { ...FLEXIBLE, ...COUNTED };
  const [before, after] = [cancelled.job, job.history.at(-1)].map((seen) =>
    JSON.stringify({ ...seen, ...flexible }),
  );
  if (before !== after)
    findings.other.push(`${idOf(job)} changed after its cancellation: ${before} ${after}`);
}
