import type { Attempt, Failure } from '@gleaner/contracts';
import type { Rung } from './ladder.ts';

/** How the climb ended. */
export interface FailedClimb {
  readonly failure: Failure;
  readonly attempts: readonly Attempt[];
  /** The rungs that could be reached. */
  readonly rungs: readonly Rung[];
}

const NO_BROWSER =
  'No browser worker is running, so antiBot could not go on. If this service is yours, start a scraper whose ENGINES include browser.';
const ALL_TRIED =
  'antiBot has tried all that it knows. Go out through another country with proxy, try again later, or send the cookies of a session that the site accepts.';

/** The failure in the end: of a site that refuses all rungs it says so, since "enable antiBot" would be no advice. */
export function explainBlock({ failure, attempts, rungs }: FailedClimb): Failure {
  if (failure.code !== 'BLOCKED') return failure;
  const hasBrowser = rungs.some(({ engine }) => engine === 'browser');
  return {
    ...failure,
    message: `${failure.message} ${attempts.length === 1 ? 'One attempt was' : `${attempts.length} attempts were`} made.`,
    suggestion: hasBrowser ? ALL_TRIED : NO_BROWSER,
  };
}
