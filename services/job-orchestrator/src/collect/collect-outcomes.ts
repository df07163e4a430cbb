import type { StoredPage } from '@gleaner/storage';
import { decide } from './decide.ts';
import type { RetryRules } from './decide-page-end.ts';
import { type CollectedOutcome, type ReadContextDeps, readContext } from './read-context.ts';
import { type StoreDecisionsDeps, storeDecisions } from './store-decisions.ts';

/** Collaborators of collecting. */
export interface CollectDeps extends Omit<ReadContextDeps, 'stores'>, StoreDecisionsDeps {
  readonly rules: RetryRules;
}

/**
 * Collects the outcomes of attempts together: reads what they are decided by, decides what follows from each, and stores
 * it. Repeating it changes nothing; their messages may be acknowledged only after it.
 */
export async function collectOutcomes(
  outcomes: readonly CollectedOutcome[],
  deps: CollectDeps,
): Promise<void> {
  const context = await readContext(outcomes, deps);
  const situation = { rules: deps.rules, nowMs: deps.stores.clock.nowMs() };
  const decisions = outcomes.flatMap((outcome) => decide(outcome, context, situation) ?? []);
  await storeDecisions(decisions, context, deps);
}

/** Ends the attempts of pages that no worker reported on in time. */
export async function collectOverdue(pages: readonly StoredPage[], deps: CollectDeps): Promise<void> {
  const outcome = { kind: 'overdue' as const };
  const outcomes = pages.map(({ jobId, id, attempt }) => ({ jobId, pageId: id, attempt, outcome }));
  await collectOutcomes(outcomes, deps);
}
