const HOUR_MS = 3_600_000;

/** A clock that was set back by less is a correction, by more a mistake that was mended (as Vixie cron sees it). */
const CORRECTION_MS = 3 * HOUR_MS;

/**
 * After which moment the next run is looked for: now, or the tick that was taken last when the clock was set back
 * behind it, so that no tick comes twice. A tick that lies hours ahead came from a wrong clock and is not waited for.
 */
export function searchStart(now: Date, lastDueAt: Date | undefined): Date {
  if (lastDueAt === undefined || lastDueAt <= now) return now;
  return lastDueAt.getTime() - now.getTime() > CORRECTION_MS ? now : lastDueAt;
}
