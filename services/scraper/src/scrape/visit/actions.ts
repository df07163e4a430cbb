import { AppError, LIMITS, resultsOf, screenshotOf } from '@gleaner/contracts';
import { runActions } from '../../browser/actions/run-actions.ts';
import { takeSnapshot } from '../../browser/tab/snapshot.ts';
import { classifyRendered } from '../../classify/classify-rendered.ts';
import type { RenderedPage } from '../page.ts';
import { redactStep } from './secrets.ts';
import type { Visit } from './visit-page.ts';

/** Follows the steps in the trace, with an image after each if they are wanted. */
export function followActions(page: RenderedPage): void {
  const { visiting, attempt, request } = page;
  visiting.onStep = (step) => void attempt.actions?.push(redactStep(step, page));
  if (request.stepScreenshots) visiting.onScreenshot = (image) => void attempt.stepScreenshots?.push(image);
}

/** Returns true until the steps are done: they are done once, whatever documents they lead to. */
export function mayAct({ request, hasActed }: Visit): boolean {
  return request.actions !== undefined && !hasActed;
}

/** Does the steps. */
export async function act(visit: Visit): Promise<void> {
  const { tab, watch, request, context, signal } = visit;
  const { deadlineMs = Number.POSITIVE_INFINITY, findSecret, onStep = () => {}, onScreenshot } = context;
  context.onActing?.();
  const isMobile = screenshotOf(request)?.mobile === true;
  visit.hasActed = true;
  try {
    await runActions(request.actions ?? [], {
      tab,
      watch,
      deadlineMs,
      isMobile,
      signal,
      findSecret,
      onStep,
      onScreenshot,
    });
  } catch (error) {
    // A wall, or the page of an error status, lacks what the steps need: it says more than they do.
    if (error instanceof AppError && error.code === 'ACTION_FAILED') await classify(visit);
    throw error;
  }
  visit.isUnsettled = true;
}

/** Throws if the current document is not one to read. */
async function classify({ tab, watch }: Visit): Promise<void> {
  const { response } = watch;
  const page = await watch.whileItStays(() => takeSnapshot(tab, 'html'));
  if (page) classifyRendered(response, { url: page.url, html: page.source });
}

/** Returns the results of the steps, and warns of a collection that is not complete. */
export function returnActions({ visited, request, attempt, found, warnings }: RenderedPage): void {
  if (visited.isCollectionCut) warnings.push(COLLECTION_CUT);
  if ((request.actions ?? []).length > 0) found.actions = resultsOf(attempt.actions ?? []);
}

const COLLECTION_CUT = {
  code: 'COLLECTION_CUT',
  message: `Not all elements that were to be collected are in the page: at most ${LIMITS.maxCollected} are, within ${LIMITS.maxPageBytes / 1_048_576} MiB.`,
} as const;
