import type { ErrorCode } from '@gleaner/contracts';
import type { Rung } from './ladder.ts';

/** Facts for the decision whether to climb. */
export interface ClimbSituation {
  /** The request's reachable rungs, lowest first. */
  readonly rungs: readonly Rung[];
  /** The rung of the last attempt. */
  readonly rung: Rung;
  readonly outcome: 'success' | ErrorCode;
  /** True when the rung's share of the time ran out, but not the request's whole time. */
  readonly isShareSpent: boolean;
  readonly remainingMs: number;
}

/** No rung can succeed in less time than this. */
const LEAST_MS = 1_000;

/**
 * Returns the next rung; undefined when the outcome is final. Only blocks lead to a climb: a site's wall, or the silence
 * with which some walls treat bots. Every other outcome would be the same from any rung.
 */
export function decideClimb({
  rungs,
  rung,
  outcome,
  isShareSpent,
  remainingMs,
}: ClimbSituation): Rung | undefined {
  const isRefusal = outcome === 'BLOCKED' || (outcome === 'TIMEOUT' && isShareSpent);
  return isRefusal && remainingMs >= LEAST_MS ? rungAbove(rung, rungs) : undefined;
}

/** Returns the time that a rung may take: half of the rest, to leave time for higher rungs; undefined for the last one. */
export function shareMs(
  rung: Rung,
  { rungs, remainingMs }: Pick<ClimbSituation, 'rungs' | 'remainingMs'>,
): number | undefined {
  return rungAbove(rung, rungs) ? remainingMs / 2 : undefined;
}

/** Returns the rung to begin with: the highest of those named, or the lowest of all. */
export function startingRung(
  rungs: readonly Rung[],
  names: readonly (string | undefined)[],
): Rung | undefined {
  return rungs.findLast(({ name }) => names.includes(name)) ?? rungs[0];
}

function rungAbove({ name }: Rung, rungs: readonly Rung[]): Rung | undefined {
  const index = rungs.findIndex((rung) => rung.name === name);
  return index === -1 ? undefined : rungs[index + 1];
}
