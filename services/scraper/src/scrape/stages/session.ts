import { defined } from '@gleaner/contracts';
import { createStateJar } from '@gleaner/egress';
import type { PageValues } from '../../extract/reading.ts';
import { planCheck } from '../../extract/readings/session-check.ts';
import { openProfile } from '../open-profile.ts';
import type { Page, PlainPage, SitePage } from '../page.ts';

/** Decrypts the profile of the page, and has its selector looked for. */
export function openSession(page: SitePage): void {
  const { task, deps, attempt } = page;
  const profile = openProfile(task, deps.secretBox, attempt.proxy);
  if (!profile) return;
  page.profile = profile;
  if (profile.actions) page.request = { ...page.request, actions: profile.actions };
  if (profile.selector !== undefined) page.wanted.check = planCheck(profile.selector);
}

/** Sends the session with the request, and claims to be the browser that it began in. */
export function sendSession(page: PlainPage): void {
  const state = page.profile?.state;
  if (!state) return;
  const jar = createStateJar(state.cookies);
  page.outgoing.jar = jar;
  Object.assign(page.outgoing.headers, defined({ 'User-Agent': state.userAgent }));
  page.sessionAfter = () => ({ ...state, cookies: jar.cookies() });
}

/** Throws PROFILE_EXPIRED if the page shows that its session is over. */
export function requireSignedIn(
  page: Page,
  read: Pick<PageValues, 'verdict' | 'matchesCheck'> = page.values,
): void {
  const { finalUrl, reachedUrl: url = finalUrl } = page.source;
  page.profile?.requireSignedIn({ url, matches: read.matchesCheck, verdict: read.verdict });
}

/** Returns the changed session with the result. */
export function leaveSession(page: Page): void {
  const state = page.profile && page.sessionAfter?.();
  const leftState = state && page.profile?.leave(state, page.source.finalUrl);
  if (leftState) page.found.leftState = leftState;
}
