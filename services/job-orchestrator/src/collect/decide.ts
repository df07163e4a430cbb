import { AppError, mayRepeat, toFailure } from '@gleaner/contracts';
import type { PageEnd, StoredPage } from '@gleaner/storage';
import { coveredPrice, type JobTerms } from '../finish/charge-pages.ts';
import { type CollectedOutcome, isCrawlPage } from './collected-outcome.ts';
import type { Consequences, Decision } from './consequences.ts';
import { crawlEndOf } from './crawl-end.ts';
import { decideCrawlPage, linksOfBase } from './decide-crawl-page.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import { lackingPageOf } from './page-snapshot.ts';
import type { Context } from './read-context.ts';
import { resultOf } from './render-result.ts';
import { isReplaced, type Standings } from './renew-sessions.ts';

type Outcome = CollectedOutcome['outcome'];
type OutcomeOf<Kind extends Outcome['kind']> = Extract<Outcome, { readonly kind: Kind }>;
type Failed = OutcomeOf<'failed' | 'lost' | 'unstarted' | 'overdue'>;

const FAILED_KINDS: ReadonlySet<Outcome['kind']> = new Set<Failed['kind']>([
  'failed',
  'lost',
  'unstarted',
  'overdue',
]);

/** Returns what follows from an outcome; undefined if its attempt, its job or its crawl is over. */
export function decide(
  collected: CollectedOutcome,
  context: Context,
  retrying: { readonly rules: RetryRules; readonly nowMs: number; readonly standings?: Standings },
): Decision | undefined {
  const { jobId, pageId } = collected;
  const terms = context.terms.get(jobId);
  if (!terms) return undefined;
  const outcome = reliesOnMissing(collected, context) ? RESULT_IS_GONE : covered(collected.outcome, terms);
  const page = context.pages.get(pageId);
  if (outcome.kind === 'found' && !terms.crawl) {
    const isOver = terms.dataset !== undefined && !page;
    return isOver
      ? { jobId, end: endOf(outcome, collected) }
      : { jobId, ...decidePlain(outcome, collected, terms) };
  }
  if (!page) return undefined;
  if (isFailed(outcome)) {
    const situation = {
      nowMs: retrying.nowMs,
      random: Math.random(),
      hasAntiBot: terms.hasAntiBot,
      mayRepeat: mayBeRepeated(page, terms),
      isReplaced: isReplaced(outcome, terms, retrying.standings),
    };
    const end = decidePageEnd(page, outcome, retrying.rules, situation);
    return { jobId, ...decideFailed(page, end, context), snapshot: lackingPageOf(outcome, page, terms) };
  }
  const crawl = context.crawls.get(jobId);
  if (!crawl || !isCrawlPage(page)) return undefined;
  const base = context.bases.get(pageId);
  return { jobId, ...decideCrawlPage(outcome, { page, crawl, terms, collected, base, context }) };
}

/** Returns the outcome with a price that the terms of the job cover. */
function covered(outcome: Outcome, terms: JobTerms): Outcome {
  return outcome.kind === 'found' ? { ...outcome, price: coveredPrice(outcome.price, terms) } : outcome;
}

/** Returns whether the request of a page may be sent again after it may have been sent. */
function mayBeRepeated({ requestJson }: StoredPage, { options, isOfKept }: JobTerms): boolean {
  return isOfKept || mayRepeat({ ...options, ...(requestJson !== undefined && JSON.parse(requestJson)) });
}

function isFailed(outcome: Outcome): outcome is Failed {
  return FAILED_KINDS.has(outcome.kind);
}

/** Returns whether a page has not been modified since a crawl whose result of it is no longer there. */
function reliesOnMissing({ pageId, outcome }: CollectedOutcome, { bases, keptResults }: Context): boolean {
  if (outcome.kind !== 'notModified') return false;
  const base = bases.get(pageId);
  return !base?.fingerprint || (base.page.state !== 'visited' && !keptResults.has(pageId));
}

const RESULT_IS_GONE: OutcomeOf<'failed'> = {
  kind: 'failed',
  failure: toFailure(
    new AppError('UPSTREAM_ERROR', {
      message: 'The site answered 304, and the earlier result of the page is no longer there.',
      targetStatusCode: 304,
    }),
  ),
};

function decidePlain(found: OutcomeOf<'found'>, collected: CollectedOutcome, terms: JobTerms): Consequences {
  const { reusable: page, engine, timestamp } = found;
  const { accountId } = terms;
  return {
    end: endOf(found, collected),
    ...resultOf(found, collected, terms),
    ...(page && { reusable: { accountId, page, engine, timestamp } }),
  };
}

function endOf({ price, verdict }: OutcomeOf<'found'>, { pageId: id, attempt }: CollectedOutcome): PageEnd {
  return { id, attempt, state: 'succeeded', price, verdict: verdict?.page };
}

/** Ends a failed page of a crawl, and keeps the links of its base. */
function decideFailed(page: StoredPage, end: PageEnd, { bases, keptLinks, crawls }: Context): Consequences {
  if (!isCrawlPage(page) || (end.state !== 'failed' && end.state !== 'missing')) return { end };
  const consequences = crawlEndOf(page, end);
  const base = bases.get(page.id);
  const crawl = crawls.get(page.jobId);
  if (!base) return consequences;
  const final = consequences.end;
  if (final.state === 'missing') return { ...consequences, end: { ...final, change: 'gone' } };
  return { ...consequences, ...(crawl && { links: linksOfBase(page, crawl, keptLinks) }) };
}
