import type { ErrorCode } from '@gleaner/contracts';
import type { Rung } from './ladder.ts';

/** What the decision rests on. */
export interface ClimbSituation {
  /** Those of the request that can be reached, lowest first. */
  readonly rungs: readonly Rung[];
  /** The one that was tried. */
  readonly rung: Rung;
  readonly outcome: 'success' | ErrorCode;
  /** Whether its share of the time ran out, rather than all of it. */
  readonly isShareSpent: boolean;
  readonly remainingMs: number;
}

/** With less than this left no rung could come to anything. */
const LEAST_MS = 1_000;

/**
 * The rung to try next; undefined where the outcome stands. Only a refusal is answered by climbing: a site's wall, or the
 * silence with which some walls meet what they take for a bot. Every other outcome would be the same from any rung.
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

/** How long a rung may take: half of what is left, so that there is time for those above; the last has no share. */
export function shareMs(
  rung: Rung,
  { rungs, remainingMs }: Pick<ClimbSituation, 'rungs' | 'remainingMs'>,
): number | undefined {
  return rungAbove(rung, rungs) ? remainingMs / 2 : undefined;
}

/** The one to begin with: the highest of those named, or the lowest of all. */
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
