import type { Stores } from '@gleaner/storage';
import type { ActiveJob, WaitingPage } from './active-job.ts';

/** A page to send. */
export interface PickedPage {
  readonly job: ActiveJob;
  readonly page: WaitingPage;
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
