import type { RenderedPage } from '../page.ts';
import type { Reading, Visit } from './visit-page.ts';

/** Returns true if responses are to be captured. */
export function captures({ request }: Pick<Visit, 'request'>): boolean {
  return request.capture !== undefined;
}

/** Has the browser keep the responses, from before the page is loaded. */
export async function startCapture({ capture }: Visit): Promise<void> {
  await capture?.prepare();
}

/** Waits for the responses that are to be there. */
export async function waitForResponses({ capture, signal }: Visit): Promise<void> {
  await capture?.untilMet(signal);
}

/** Takes the responses so far. */
export async function takeCaptured({ visit, parts, signal }: Reading): Promise<void> {
  const captured = await visit.capture?.take(signal);
  if (captured) parts.captured = captured;
}

/** Has the responses read with the document. */
export function readCaptured({ visited, wanted }: RenderedPage): void {
  if (visited.captured) wanted.captured = visited.captured;
}
