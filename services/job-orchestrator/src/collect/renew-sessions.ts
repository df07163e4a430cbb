import { profileOf } from '@gleaner/contracts';
import type { PageEnd, SessionEnd, Standing, Stores } from '@gleaner/storage';
import type { JobTerms } from '../finish/charge-pages.ts';
import type { CollectedOutcome } from './collected-outcome.ts';

/** Collaborators and facts of renewing. */
interface RenewDeps {
  readonly terms: ReadonlyMap<string, JobTerms | undefined>;
  readonly stores: Pick<Stores, 'clock' | 'jobs' | 'profiles'>;
}

/** Present sessions of profiles, by their ids. */
export type Standings = ReadonlyMap<string, Standing>;

/** Reads the profiles whose pages were not signed in. */
export async function findStandings(
  outcomes: readonly CollectedOutcome[],
  { terms, stores }: RenewDeps,
): Promise<Standings> {
  const ids = outcomes.flatMap(({ jobId, outcome }) => {
    const id = profileIdOf(terms.get(jobId));
    return id !== undefined && outcome.kind === 'failed' && outcome.signedOut ? [id] : [];
  });
  const found = await stores.profiles.findStandings([...new Set(ids)]);
  return new Map(found.map((standing) => [standing.id, standing]));
}

/** Returns whether a page was fetched with a state that has been replaced since, by another page or by a login. */
export function isReplaced(
  outcome: CollectedOutcome['outcome'],
  terms: JobTerms,
  standings: Standings = new Map(),
): boolean {
  const standing = standings.get(profileIdOf(terms) ?? '');
  if (outcome.kind !== 'failed' || !outcome.signedOut || !standing) return false;
  return standing.logins > outcome.signedOut.session || standing.revision > outcome.signedOut.revision;
}

/**
 * Stores what pages have left in the sessions of their profiles, and ends the sessions that pages found to be over. Where a
 * page fails the check for good, the rest of its job fails with it. It comes before the attempts are ended, so that no page is
 * dispatched again with the session that failed it.
 */
export async function renewSessions(
  outcomes: readonly CollectedOutcome[],
  ends: ReadonlyMap<string, PageEnd>,
  { terms, stores: { clock, jobs, profiles } }: RenewDeps,
): Promise<void> {
  const byProfile = new Map<string, SessionEnd[]>();
  for (const { jobId, pageId, outcome } of outcomes) {
    const [id, end] = [profileIdOf(terms.get(jobId)), ends.get(pageId)];
    if (id === undefined || !end) continue;
    const told = byProfile.get(id) ?? [];
    byProfile.set(id, told);
    if (outcome.kind === 'found' && outcome.session !== undefined)
      told.push({ signedIn: outcome.session, leftState: outcome.leftState });
    if (outcome.kind !== 'failed' || !outcome.signedOut) continue;
    const isLost = end.state === 'failed' && !outcome.wasSent;
    if (isLost) await jobs.failRest(jobId, end.failure);
    told.push({ signedOut: outcome.signedOut, isLost });
  }
  for (const [id, told] of byProfile) await profiles.settleSession(id, told, clock.now());
}

function profileIdOf(terms: JobTerms | undefined): string | undefined {
  return terms && profileOf(terms.options)?.id;
}
