const HOUR_MS = 3_600_000;

/** As in Vixie cron: a clock set back by less was corrected; by more, it had been wrong before. */
const CORRECTION_MS = 3 * HOUR_MS;

/**
 * Returns the moment after which to look for the next run: now, or the tick that was claimed last if the clock was set
 * back behind it, so that no tick comes twice. A tick that lies hours ahead came from a wrong clock and is ignored.
 */
export function searchStart(now: Date, lastDueAt: Date | undefined): Date {
  if (lastDueAt === undefined || lastDueAt <= now) return now;
  return lastDueAt.getTime() - now.getTime() > CORRECTION_MS ? now : lastDueAt;
}
