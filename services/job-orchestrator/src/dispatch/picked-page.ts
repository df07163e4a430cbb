import type { Stores } from '@gleaner/storage';
import type { ActiveJob, WaitingPage } from './active-job.ts';
import type { Lane } from './host-pace.ts';

/** Pages that are sent together, while some of them are in flight. */
export interface RunningLane extends Lane {
  /** Time when it was sent. */
  readonly sinceMs: number;
  /** Number of its pages in flight, and of the requested ones. */
  left: number;
  fetched: number;
}

/** A page to send. */
export interface PickedPage {
  readonly job: ActiveJob;
  readonly page: WaitingPage;
  readonly lane: RunningLane;
}

/** A page that is claimed for this attempt until its deadline. */
export interface ClaimedPage extends PickedPage {
  readonly deadlineAt: Date;
}

/** Returns whether the claim still holds: after a pause of this process, another one may have the page. */
export function isInTime(
  { deadlineAt }: ClaimedPage,
  { stores }: { readonly stores: Pick<Stores, 'clock'> },
): boolean {
  return stores.clock.nowMs() < deadlineAt.getTime();
}
