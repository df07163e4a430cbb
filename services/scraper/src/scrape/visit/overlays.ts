import { timeoutMsOf } from '@gleaner/contracts';
import { dismissOverlays as dismissIn } from '../../browser/overlays/dismiss-overlays.ts';
import { findFrontLayer } from '../../browser/overlays/find-front-layer.ts';
import type { RenderedPage } from '../page.ts';
import type { Reading, Visit } from './visit-page.ts';

/** A dismissal may lead to another document with a layer of its own; a page that goes on like this is read with it. */
const MAX_DISMISSALS = 3;

/** Returns true while layers are to be dismissed. */
export function mayDismiss({ request, dismissals }: Visit): boolean {
  const { overlays = 'keep' } = request;
  return overlays !== 'keep' && dismissals < MAX_DISMISSALS;
}

/** Dismisses the layers that ask for consent. */
export async function dismissOverlays(visit: Visit): Promise<void> {
  const { tab, watch, request, signal } = visit;
  const { overlays: action = 'keep', url } = request;
  if (action === 'keep') return;
  visit.dismissals += 1;
  visit.navigationsBefore = watch.navigations;
  const { dismissed, left } = await dismissIn(tab, watch, {
    action,
    url: watch.response?.url ?? url,
    timeoutMs: timeoutMsOf(request),
    signal,
  });
  for (const cmp of dismissed) visit.dismissed.set(cmp, { cmp, action });
  visit.overlaysLeft = left;
  visit.isUnsettled = dismissed.length > 0;
}

/** Begins again with the document that a dismissal led to. */
export function followDismissal(visit: Visit): 'again' | undefined {
  const { watch, navigationsBefore } = visit;
  visit.navigationsBefore = undefined;
  return navigationsBefore !== undefined && navigationsBefore !== watch.navigations ? 'again' : undefined;
}

/** Finds the element that covers most of the window. */
export async function findLayer({ tab, parts }: Reading): Promise<void> {
  parts.layer = await findFrontLayer(tab);
}

/** Returns the dismissed layers, warns of the others, and has the layer in front of the page judged. */
export function returnOverlays({ visited, request, found, wanted, warnings }: RenderedPage): void {
  const { overlays, overlaysLeft, layer } = visited;
  if (layer) wanted.layer = layer;
  if (overlays.length > 0) found.overlays = [...overlays];
  for (const cmp of overlaysLeft) {
    const what = cmp === 'unknown' ? 'a consent layer' : `the consent layer of ${cmp}`;
    const message = `The page was read with ${what} over it: "overlays": "${request.overlays ?? 'keep'}" did not dismiss it in time.`;
    warnings.push({ code: 'OVERLAY_NOT_DISMISSED', message });
  }
}
