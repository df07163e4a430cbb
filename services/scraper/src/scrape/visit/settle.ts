import { NavigationFailed } from '../../browser/tab/page-watch.ts';
import { settle as settleTab } from '../../browser/tab/settle.ts';
import { waitFor as waitForCondition } from '../../browser/tab/wait-for.ts';
import { classifyRendered } from '../../classify/classify-rendered.ts';
import { requireSamePage, type Visit } from './visit-page.ts';

/** Waits until the page has settled. */
export async function settle(visit: Visit): Promise<void> {
  await settleTab(visit.tab, visit.watch, visit.signal);
  visit.isUnsettled = false;
}

/** Returns true while a stage has changed the page since it settled. */
export function isUnsettled(visit: Visit): boolean {
  return visit.isUnsettled;
}

/** Throws for a document that is another page than the one asked for, or that broke off. */
export function acceptDocument({ watch, request, context, hasActed }: Visit): void {
  // Steps may lead to other pages.
  if (watch.response && !hasActed) requireSamePage(watch.response.url, request.url, context.mayLeadTo);
  if (watch.documentError) throw new NavigationFailed(watch.documentError);
}

/** Returns true if the page is to be read under a condition. */
export function hasCondition({ request }: Visit): boolean {
  return request.waitFor !== undefined;
}

/** Waits for what `waitFor` names. */
export async function waitFor({ tab, request, signal }: Visit): Promise<void> {
  if (request.waitFor !== undefined) await waitForCondition(tab, request.waitFor, signal);
}

/** Returns the error of the page's status, if it has one: such a page cannot meet a condition, and it says more than a TIMEOUT. */
export function explainByStatus(error: unknown, { watch: { response } }: Visit): unknown {
  if (!response) return error;
  try {
    classifyRendered(response, { url: response.url, html: '' });
    return error;
  } catch (ofStatus) {
    return ofStatus;
  }
}
