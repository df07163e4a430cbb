import { AppError, type Failure, toFailure } from '@gleaner/contracts';
import type { Standing, Stores } from '@gleaner/storage';

/** A job that uses a profile. */
interface ProfiledJob {
  readonly id: string;
  readonly accountId: string;
  readonly profileId?: string;
  readonly lanes: number;
  /** A browser may get its pages. */
  readonly mayRender: boolean;
  waiting: readonly unknown[];
  hasMore: boolean;
}

/** Pages of a profile in flight, and the most that may be. */
export interface ProfileLoad {
  running: number;
  readonly limit: number;
}

/** A job whose profile cannot be used any more, with the error of its pages. */
export interface DoomedJob {
  readonly jobId: string;
  readonly failure: Failure;
}

/** Pages of one profile in flight: a session in which a person would do more at once is a rare one. */
const LIMITS = { plain: 4, rendered: 1 } as const;

/** The profiles of the jobs that are dispatched, as they were last read. */
export class ActiveProfiles {
  readonly #stores: Pick<Stores, 'clock' | 'profiles'>;
  #found: ReadonlyMap<string, Standing> = new Map();

  constructor(stores: Pick<Stores, 'clock' | 'profiles'>) {
    this.#stores = stores;
  }

  /** Reads the profiles of jobs; wants a login where a session is over. Returns the jobs whose profile is lost for them. */
  async refresh(jobs: readonly ProfiledJob[]): Promise<DoomedJob[]> {
    const ids = [...new Set(jobs.flatMap(({ profileId }) => profileId ?? []))];
    if (ids.length === 0) return [];
    const { clock, profiles } = this.#stores;
    const waitedFor = jobs.filter((job) => !this.mayGo(job));
    this.#found = new Map((await profiles.findStandings(ids)).map((profile) => [profile.id, profile]));
    const now = clock.now();
    for (const profile of this.#found.values())
      if (isOver(profile, now) && profile.sealedActions)
        await profiles.renewSession(profile.id, profile.logins, now);
    for (const job of waitedFor) if (this.mayGo(job)) readAgain(job);
    return jobs.flatMap((job) => {
      const failure = job.profileId === undefined ? undefined : failureOf(this.#profileOf(job), now);
      return failure ? [{ jobId: job.id, failure }] : [];
    });
  }

  /** Returns whether the pages of a job may go out: it uses no profile, or one that is signed in. */
  mayGo(job: ProfiledJob): boolean {
    if (job.profileId === undefined) return true;
    const profile = this.#profileOf(job);
    return profile?.status === 'ready' && !isOver(profile, this.#stores.clock.now());
  }

  /** Returns the profile of a job. One of another account is not there. */
  #profileOf({ profileId = '', accountId }: ProfiledJob): Standing | undefined {
    const found = this.#found.get(profileId);
    return found?.accountId === accountId ? found : undefined;
  }
}

/** Use of a profile, with the most pages of it in flight. */
export interface ProfileUse {
  readonly name: string;
  readonly limit: number;
}

/** Returns the use that a job makes of a profile: rendered pages of a profile are one use, plain ones another. */
export function profileUseOf({
  profileId,
  mayRender,
}: Pick<ProfiledJob, 'profileId' | 'mayRender'>): ProfileUse | undefined {
  if (profileId === undefined) return undefined;
  const way = mayRender ? 'rendered' : 'plain';
  return { name: `${profileId} ${way}`, limit: LIMITS[way] };
}

/** Returns the loads of jobs that use a profile, by the ids of the jobs; jobs with the same use share one. */
export function profileLoadsOf(
  jobs: readonly Pick<ProfiledJob, 'id' | 'profileId' | 'lanes' | 'mayRender'>[],
  limitOf: (use: ProfileUse) => number = ({ limit }) => limit,
): Map<string, ProfileLoad> {
  const loads = new Map<string, ProfileLoad>();
  const ofJobs = new Map<string, ProfileLoad>();
  for (const job of jobs) {
    const use = profileUseOf(job);
    if (!use) continue;
    const load = loads.get(use.name) ?? { running: 0, limit: limitOf(use) };
    load.running += job.lanes;
    loads.set(use.name, load);
    ofJobs.set(job.id, load);
  }
  return ofJobs;
}

/** Forgets the pages that were read ahead: pages waiting for another attempt come before them. */
function readAgain(job: ProfiledJob): void {
  job.waiting = [];
  job.hasMore = true;
}

function isOver({ status, expiresAt }: Standing, now: Date): boolean {
  return status === 'expired' || (status === 'ready' && expiresAt !== undefined && expiresAt <= now);
}

/** Returns the error of pages whose profile nothing will sign in; undefined of others. */
function failureOf(profile: Standing | undefined, now: Date): Failure | undefined {
  if (!profile) return toFailure(new AppError('PROFILE_NOT_FOUND', { message: 'The profile was deleted.' }));
  const { name, status, sealedActions, lastError } = profile;
  if (status === 'failed') {
    const message = `The profile ${name} is not signed in: its last login failed. ${lastError?.message ?? ''}`;
    return toFailure(new AppError('PROFILE_EXPIRED', { message: message.trim() }));
  }
  if (!isOver(profile, now) || sealedActions) return undefined;
  const message = `The profile ${name} is not signed in, and only a person can sign in.`;
  return toFailure(new AppError('PROFILE_EXPIRED', { message }));
}
