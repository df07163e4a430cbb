import { profileOf } from '@gleaner/contracts';
import type { PageEnd, Stores } from '@gleaner/storage';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './read-context.ts';

/** Collaborators and facts of renewing. */
interface RenewDeps {
  readonly terms: ReadonlyMap<string, JobTerms | undefined>;
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'profiles'>;
}

/** Latest session of each profile that a page was signed in with, by the id of the profile. */
export type ProvenSessions = ReadonlyMap<string, number>;

/** Notes the sessions that pages were signed in with; returns those of the profiles of pages that were not. */
export async function proveSessions(
  outcomes: readonly CollectedOutcome[],
  { terms, stores: { profiles } }: RenewDeps,
): Promise<ProvenSessions> {
  const proven = new Map<string, number>();
  const asked = new Set<string>();
  for (const { jobId, outcome } of outcomes) {
    const id = profileIdOf(terms.get(jobId));
    if (id === undefined || !('session' in outcome) || outcome.session === undefined) continue;
    if (outcome.kind === 'found') proven.set(id, Math.max(outcome.session, proven.get(id) ?? 0));
    else asked.add(id);
  }
  for (const [id, session] of proven) await profiles.proveSession(id, session);
  for (const { id, provenSession = 0 } of await profiles.findProfiles([...asked]))
    proven.set(id, Math.max(provenSession, proven.get(id) ?? 0));
  return proven;
}

/** Returns whether other pages were signed in with the session that the page of an outcome was not. */
export function isProven(
  outcome: CollectedOutcome['outcome'],
  terms: JobTerms,
  proven: ProvenSessions = new Map(),
): boolean {
  if (outcome.kind !== 'failed' || outcome.session === undefined) return false;
  return (proven.get(profileIdOf(terms) ?? '') ?? 0) >= outcome.session;
}

/**
 * Stores what pages have left in the sessions of their profiles, and wants one login for each session that pages found to be
 * over. Where a page fails the check for good, the rest of its job fails with it. It comes before the attempts are ended, so that
 * no page is dispatched again with the session that failed it.
 */
export async function renewSessions(
  outcomes: readonly CollectedOutcome[],
  ends: ReadonlyMap<string, PageEnd>,
  { terms, stores: { clock, jobs, profiles } }: RenewDeps,
): Promise<void> {
  for (const { jobId, pageId, outcome } of outcomes) {
    const id = profileIdOf(terms.get(jobId));
    const end = ends.get(pageId);
    if (id === undefined || !end) continue;
    if (outcome.kind === 'found' && outcome.leftState)
      await profiles.saveState(id, outcome.leftState.revision, outcome.leftState.state);
    if (outcome.kind !== 'failed' || outcome.session === undefined) continue;
    if (end.state === 'failed') await jobs.failRest(jobId, end.failure);
    else if (!(await profiles.wantLogin(id, outcome.session, clock.now())))
      await profiles.expireSession(id, outcome.session, clock.now());
  }
}

function profileIdOf(terms: JobTerms | undefined): string | undefined {
  return terms && profileOf(terms.options)?.id;
}
