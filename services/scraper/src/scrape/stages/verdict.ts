import { defined, isPlainGet, methodOf, type Verdict } from '@gleaner/contracts';
import { hashOfText } from '../../calibrate/shown-text.ts';
import { requireContent as requireContentOf } from '../../classify/verdict/require-content.ts';
import type { Page, SitePage } from '../page.ts';

/** Verdict on a response that has no document because it must have none. */
export const AS_ASKED: Verdict = {
  page: 'content',
  basis: 'inferred',
  signals: [],
};

/** Compares a page that may be an error page with others of its site. */
export async function judge(page: SitePage): Promise<void> {
  const { deps, values, source, visitor, deadlineMs, signal, request } = page;
  const { mayBeShell, thinText } = values;
  const verdict = isBodiless(page) ? AS_ASKED : values.verdict;
  // Other paths are requested with GET and without a session, whose answers say nothing of other methods and of members.
  const isAlike = isPlainGet(request) && !page.profile;
  page.found.verdict = visitor
    ? await deps.calibrations.judge(
        { url: source.finalUrl, verdict, thinText: isAlike ? thinText : undefined, mayBeShell },
        visitor,
        { deadlineMs, signal },
      )
    : verdict;
}

function isBodiless({ request, source }: Page): boolean {
  return methodOf(request) === 'HEAD' || source.statusCode === 204 || source.statusCode === 205;
}

/** Throws for a suspect page, if the request wants that, and for a page without required fields. */
export function requireContent({ found, values, request, source, packed }: Page): void {
  requireContentOf(found.verdict ?? values.verdict, {
    ...defined({ onSuspect: request.onSuspect }),
    statusCode: source.statusCode,
    missing: values.missing,
    packed,
  });
}

/** Throws for a snapshot that lacks required fields. */
export function requireFields({ values }: Page): void {
  requireContentOf(values.verdict, { missing: values.missing });
}

/** Returns a hash of what a page with little text shows, to be compared with the other pages of its job. */
export function returnThinHash({ task, values, request, found }: Page): void {
  const { thinText, mayBeShell } = values;
  const isCompared = task.isOfJob && isPlainGet(request) && !mayBeShell;
  if (isCompared && thinText !== undefined) found.thinHash = hashOfText(thinText);
}
