import type { Attempt, Failure } from '@gleaner/contracts';
import type { Rung } from './ladder.ts';

/** A climb that ended in a failure. */
export interface FailedClimb {
  readonly failure: Failure;
  readonly attempts: readonly Attempt[];
  /** The reachable rungs. */
  readonly rungs: readonly Rung[];
  /** Lowest price of the rungs that `maxCredits` leaves out. */
  readonly priceBeyond?: number | undefined;
}

const NO_BROWSER =
  'No browser worker is running, so antiBot could not use a browser. If you operate this service, start a scraper whose ENGINES include browser.';
const ALL_TRIED =
  'antiBot has tried every method. Use proxy with another country, try again later, or send the cookies of a session that the site accepts.';

/** Returns the failure to report. For a site that refuses every rung, "enable antiBot" is not a useful suggestion. */
export function explainBlock({ failure, attempts, rungs, priceBeyond }: FailedClimb): Failure {
  if (failure.code !== 'BLOCKED') return failure;
  const hasBrowser = rungs.some(({ engine }) => engine === 'browser');
  return {
    ...failure,
    message: `${failure.message} ${attempts.length === 1 ? 'One attempt was' : `${attempts.length} attempts were`} made.`,
    suggestion: priceBeyond === undefined ? (hasBrowser ? ALL_TRIED : NO_BROWSER) : suggestMore(priceBeyond),
  };
}

function suggestMore(credits: number): string {
  return `maxCredits left out ways of antiBot that cost more. Set it to ${credits} or more, or send the cookies of a session that the site accepts.`;
}
