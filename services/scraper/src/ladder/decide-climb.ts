import type { Attempt, ErrorCode, Failure, ScrapeRequest } from '@gleaner/contracts';
import type { Rung } from './ladder.ts';

/** Facts for the decision whether to climb. */
export interface ClimbSituation {
  /** The request's reachable rungs, lowest first. */
  readonly rungs: readonly Rung[];
  /** The rung of the last attempt. */
  readonly rung: Rung;
  readonly request: Pick<ScrapeRequest, 'antiBot' | 'render'>;
  /** `shell` for a page that scripts have yet to fill. */
  readonly outcome: 'success' | 'shell' | ErrorCode;
  /** True when the rung's share of the time ran out, but not the request's whole time. */
  readonly isShareSpent: boolean;
  readonly remainingMs: number;
}

/** No rung can succeed in less time than this. */
const LEAST_MS = 1_000;

/**
 * Returns the next rung; undefined when the outcome is final. With antiBot, blocks lead to a climb: a site's wall, or the
 * silence with which some walls treat bots. With `render: "auto"`, a shell leads to the browser. Every other outcome would
 * be the same from any rung.
 */
export function decideClimb({
  rungs,
  rung,
  request,
  outcome,
  isShareSpent,
  remainingMs,
}: ClimbSituation): Rung | undefined {
  if (remainingMs < LEAST_MS) return undefined;
  const isRefusal = outcome === 'BLOCKED' || (outcome === 'TIMEOUT' && isShareSpent);
  if (isRefusal && request.antiBot) return rungsAbove(rung, rungs)[0];
  const isShell = outcome === 'shell' || outcome === 'RENDER_NEEDED';
  if (isShell && request.render === 'auto') return rungsAbove(rung, rungs).find(rendersPages);
  return undefined;
}

function rendersPages({ engine }: Rung): boolean {
  return engine === 'browser';
}

/** Returns the time that a rung may take: half of the rest, to leave time for higher rungs; undefined for the last one. */
export function shareMs(
  rung: Rung,
  { rungs, remainingMs }: Pick<ClimbSituation, 'rungs' | 'remainingMs'>,
): number | undefined {
  return rungsAbove(rung, rungs).length > 0 ? remainingMs / 2 : undefined;
}

/** Returns the rung to begin with: the highest of those named, or the lowest of all. */
export function startingRung(
  rungs: readonly Rung[],
  names: readonly (string | undefined)[],
): Rung | undefined {
  return rungs.findLast(({ name }) => names.includes(name)) ?? rungs[0];
}

function rungsAbove({ name }: Rung, rungs: readonly Rung[]): readonly Rung[] {
  const index = rungs.findIndex((rung) => rung.name === name);
  return index === -1 ? [] : rungs.slice(index + 1);
}

/** A climb that ended in a failure. */
interface FailedClimb {
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
