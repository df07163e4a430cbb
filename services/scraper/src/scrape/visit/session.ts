import { readState } from '../../browser/tab/session-state.ts';
import type { RenderedPage } from '../page.ts';
import type { Reading } from './visit-page.ts';

/** Puts the session into the browser. */
export function bringSession(page: RenderedPage): void {
  if (!page.profile) return;
  page.visiting.state = page.profile.state;
  page.sessionAfter = () => page.visited.state;
}

/** Returns true if the visit began with a session. */
export function hasSession({ context }: Reading): boolean {
  return context.state !== undefined;
}

/** Reads the session as the page has left it. */
export async function readSession({ tab, context, parts }: Reading): Promise<void> {
  const { state } = context;
  if (!state) return;
  const after = await readState(tab, state);
  parts.state = { ...after, userAgent: state.userAgent ?? tab.browser.userAgent };
}
