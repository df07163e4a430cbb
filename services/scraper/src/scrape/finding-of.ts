import { defined } from '@gleaner/contracts';
import { NoPage } from '../classify/no-page.ts';
import { LackingPage } from '../classify/verdict/require-content.ts';
import { keepIfFits } from '../snapshots/pack-page.ts';
import type { AttemptsOutcome } from './attempts.ts';
import type { Finding, ScrapedPage, ScrapeTask } from './scrape.ts';

/** Returns the finding that the attempts at the page of a task led to. */
export function findingOf(outcome: AttemptsOutcome<ScrapedPage>, { crawl, isOfJob }: ScrapeTask): Finding {
  const attempts = [...outcome.attempts];
  if (outcome.ok) {
    const { page, cookies } = outcome.success;
    return { ok: true, result: { ...page, attempts }, ...defined({ cookies }) };
  }
  const { failure, error, wasSent } = outcome;
  const noPage = crawl && error instanceof NoPage ? error.outcome : undefined;
  const packed = isOfJob && error instanceof LackingPage ? error.packed : undefined;
  const { snapshot } = keepIfFits(packed, {});
  return {
    ok: false,
    failure,
    attempts,
    ...defined({ noPage }),
    ...(wasSent && { wasSent }),
    ...defined({ snapshot }),
  };
}
