import { engineFor, timeoutMsOf, totalCredits, worstPriceOf } from '@gleaner/contracts';
import { onceAdmitted } from '../../admission/once-admitted.ts';
import type { Handler } from '../handler.ts';
import { askWorker, requireWorker, type WorkerDeps } from './ask-worker.ts';
import { checkScrapeRequest, type ScrapeRules } from './check-scrape-request.ts';
import { describeScrape } from './describe-scrape.ts';
import { type ChargeDeps, withCharge } from './with-charge.ts';

/** Collaborators of the handler. */
export interface ScrapeDeps extends WorkerDeps, ChargeDeps {
  readonly rules: ScrapeRules;
}

/** `POST /v1/scrape`: check → find a worker → hold credits → ask the worker → be counted → charge → answer. */
export function createScrapeHandler(deps: ScrapeDeps): Handler<'scrape'> {
  return async ({ id, caller, body, arrivedAtMs, startedAtMs, signal, admission }) => {
    const request = checkScrapeRequest(body, deps.rules);
    const deadlineMs = arrivedAtMs + timeoutMsOf(request);
    await requireWorker(engineFor(request), deps);
    const credits = totalCredits(worstPriceOf(request));
    const result = await withCharge({ id, caller, credits, deadlineMs }, deps, () => {
      const timeoutMs = Math.max(1, deadlineMs - Date.now());
      const command = { requestId: id, accountId: caller.account.id, deadlineMs, timeoutMs, request };
      return onceAdmitted({ admission, signal }, (bound) => askWorker(command, bound, deps));
    });
    return describeScrape(result, { url: body.url, durationMs: performance.now() - startedAtMs });
  };
}
