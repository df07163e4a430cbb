import { Cron, type CronOptions } from 'croner';
import QuickLRU from 'quick-lru';
import { type ParsedCron, parseCron } from './parse-cron.ts';
import { findSkippedDay, type OffsetAt, offsetsOf } from './skipped-day.ts';

/** When a schedule runs. */
export interface Timing {
  /** Five fields. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/** croner keeps about 80 KB for each pattern, so only the latest are kept. */
const MAX_KEPT = 50;
const HOURS_PER_DAY = 24;

/**
 * Finds the next runs of schedules. The patterns of the latest timings are kept: schedules that are due at the same
 * moment often have the same timing.
 */
export class NextRuns {
  readonly #patterns = new QuickLRU<string, Pattern>({ maxSize: MAX_KEPT });

  /**
   * Returns the first run after a moment. Throws INVALID_REQUEST when the expression cannot be read, and croner's error
   * when the time zone data of this process do not have the zone.
   */
  find({ cron, timezone }: Timing, after: Date): Date {
    const pattern = this.#patternOf(cron, timezone);
    const next = pattern.cron.nextRun(after);
    if (next) return findMadeUp(pattern, after, next) ?? next;
    throw new Error(`The cron expression "${cron}" has no run after ${after.toISOString()}.`);
  }

  #patternOf(cron: string, timezone: string): Pattern {
    const key = `${timezone} ${cron}`;
    const pattern = this.#patterns.get(key) ?? patternOf(parseCron(cron), timezone);
    this.#patterns.set(key, pattern);
    return pattern;
  }
}

/** A timing as croner reads it. */
interface Pattern {
  readonly cron: Cron;
  readonly expression: string;
  readonly options: CronOptions;
  readonly countsHours: boolean;
  readonly offsetAt: OffsetAt;
}

/**
 * Returns croner's pattern of an expression, with the semantics of Vixie cron where croner's own differ:
 *
 * - An expression with some of the hours names local times: one that the clocks skip runs once, right after the gap, and
 *   one that they show twice runs the first time. croner does so for fields without `*` and steps, so they become lists.
 * - An expression with every hour counts hours as they pass; croner does so for `*`.
 * - When both day fields are restricted, either may match. A field that begins with `*`, even with a step, is not a
 *   restriction of that kind: then both must match.
 */
function patternOf(
  { minutes, hours, daysOfMonth, months, daysOfWeek }: ParsedCron,
  timezone: string,
): Pattern {
  const fields = [minutes, hours, daysOfMonth, months, daysOfWeek].map(({ values }) => values.join(','));
  const countsHours = hours.values.length === HOURS_PER_DAY;
  const expression = (countsHours ? fields.with(1, '*') : fields).join(' ');
  const options: CronOptions = {
    timezone,
    mode: '5-part',
    fixedTimeRule: 'no-wildcard',
    domAndDow: daysOfMonth.isStar || daysOfWeek.isStar,
  };
  return {
    cron: new Cron(expression, options),
    expression,
    options,
    countsHours,
    offsetAt: offsetsOf(timezone),
  };
}

/**
 * Returns the make-up run for a day skipped by the clocks before croner's next run, right after the gap. croner makes
 * up only for gaps of some hours: it leaves out the runs of a whole day.
 */
function findMadeUp(
  { countsHours, expression, options, offsetAt }: Pattern,
  after: Date,
  next: Date,
): Date | undefined {
  if (countsHours) return undefined;
  const day = findSkippedDay(offsetAt, after.getTime(), next.getTime());
  if (!day) return undefined;
  // No clock of UTC skips anything, so there croner finds the local times in the gap.
  const skipped = new Cron(expression, { ...options, timezone: 'UTC' }).nextRun(new Date(day.fromWallMs - 1));
  return skipped && skipped.getTime() < day.toWallMs ? new Date(day.atMs) : undefined;
}

const HOUR_MS = 3_600_000;

/** As in Vixie cron: a clock set back by less was corrected; by more, it had been wrong before. */
const CORRECTION_MS = 3 * HOUR_MS;

/**
 * Returns the moment after which to look for the next run: now, or the last claimed tick if the clock was set back behind
 * it, so that no tick comes twice. A tick hours ahead came from a wrong clock and is ignored.
 */
export function searchStart(now: Date, lastDueAt: Date | undefined): Date {
  if (lastDueAt === undefined || lastDueAt <= now) return now;
  return lastDueAt.getTime() - now.getTime() > CORRECTION_MS ? now : lastDueAt;
}
