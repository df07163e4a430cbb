import type { StoredPage } from '@gleaner/storage';
import { readPages } from '../datasets/page-records.ts';
import type { RepeatedTexts } from '../review/repeated-texts.ts';
import type { CollectedOutcome } from './collected-outcome.ts';
import { decide } from './decide.ts';
import type { RetryRules } from './decide-page-end.ts';
import { pagesWithData, withWarnings } from './page-data.ts';
import { type ReadContextDeps, readContext } from './read-context.ts';
import { findStandings, renewSessions } from './renew-sessions.ts';
import { type StoreDecisionsDeps, storeDecisions } from './store-decisions.ts';

/** Collaborators of collecting. */
export interface CollectDeps extends Omit<ReadContextDeps, 'stores'>, StoreDecisionsDeps {
  readonly rules: RetryRules;
  readonly repeatedTexts: RepeatedTexts;
}

/**
 * Decides and stores the consequences of several attempts together. Safe to repeat; acknowledge the messages of the
 * outcomes only after it.
 */
export async function collectOutcomes(
  outcomes: readonly CollectedOutcome[],
  deps: CollectDeps,
): Promise<void> {
  const single = await deps.repeatedTexts.judge(await splitLostLanes(outcomes, deps));
  const context = await readContext(single, deps);
  const renewing = { terms: context.terms, stores: deps.stores };
  const standings = await findStandings(single, renewing);
  const situation = { rules: deps.rules, nowMs: deps.stores.clock.nowMs(), standings };
  const records = await readPages(pagesWithData(single, context));
  const decisions = withWarnings(single, records).flatMap(
    (outcome) => decide(outcome, context, situation) ?? [],
  );
  const ends = new Map(decisions.map(({ end }) => [end.id, end]));
  await renewSessions(single, ends, renewing);
  await storeDecisions(decisions, { ...context, records }, deps);
}

/** Pages of a lost lane that may have started: one being read, the next being fetched, and one with an unpublished outcome. */
const MAY_HAVE_RUN = 3;

/**
 * Gives each page of a lost lane its own outcome. The pages of a lane are scraped in order, so only the first of those without
 * an outcome can be what its worker died of; the others were not started.
 */
async function splitLostLanes(
  outcomes: readonly CollectedOutcome[],
  { stores }: Pick<CollectDeps, 'stores'>,
): Promise<readonly CollectedOutcome[]> {
  const lanes = outcomes.filter(({ outcome }) => outcome.kind === 'lost' && outcome.further);
  if (lanes.length === 0) return outcomes;
  const split = await Promise.all(
    lanes.map(async ({ jobId, pageId, attempt, outcome }) => {
      const further = outcome.kind === 'lost' ? (outcome.further ?? []) : [];
      const pages = [{ pageId, attempt }, ...further];
      const stored = await stores.pages.findPages(pages.map((page) => page.pageId));
      const running = new Set(stored.flatMap(({ id, state }) => (state === 'running' ? [id] : [])));
      const left = pages.filter((page) => running.has(page.pageId));
      return left.map((page, place): CollectedOutcome => {
        const kind = place < MAY_HAVE_RUN ? 'lost' : 'unstarted';
        return { jobId, ...page, outcome: { kind } };
      });
    }),
  );
  return [...outcomes.filter((outcome) => !lanes.includes(outcome)), ...split.flat()];
}

/** Ends the attempts of pages that no worker reported on in time. */
export async function collectOverdue(pages: readonly StoredPage[], deps: CollectDeps): Promise<void> {
  const outcome = { kind: 'overdue' as const };
  const outcomes = pages.map(({ jobId, id, attempt }) => ({ jobId, pageId: id, attempt, outcome }));
  await collectOutcomes(outcomes, deps);
}
