import { AppError, mayRepeat, toFailure } from '@gleaner/contracts';
import type { PageEnd, StoredPage } from '@gleaner/storage';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { Consequences, Decision } from './consequences.ts';
import { crawlEndOf } from './crawl-end.ts';
import { decideCrawlPage, linksOfBase } from './decide-crawl-page.ts';
import { decidePageEnd, type RetryRules } from './decide-page-end.ts';
import { lackingPageOf } from './keep-snapshots.ts';
import { type CollectedOutcome, type Context, isCrawlPage } from './read-context.ts';
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
  const outcome = reliesOnMissing(collected, context) ? RESULT_IS_GONE : collected.outcome;
  if (outcome.kind === 'found' && !terms.crawl) return { jobId, ...decidePlain(outcome, collected, terms) };
  const page = context.pages.get(pageId);
  if (!page) return undefined;
  if (isFailed(outcome)) {
    const situation = {
      ...{ nowMs: retrying.nowMs, random: Math.random(), hasAntiBot: terms.hasAntiBot },
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
  const { pageId: id, attempt } = collected;
  const end = { id, attempt, state: 'succeeded', price: found.price, verdict: found.verdict?.page } as const;
  return { end, ...resultOf(found, collected, terms) };
}

/** A page of a crawl that failed in the end leads to what it led to before. */
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
