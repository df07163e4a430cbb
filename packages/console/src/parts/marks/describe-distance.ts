const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const NOW_MS = 5_000;

/** Returns a distance in time in words: `5 min. ago`, `in 2 hr.`. */
export function describeDistance(ms: number): string {
  if (Math.abs(ms) < NOW_MS) return 'now';
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? UNITS[3];
  return FORMAT.format(Math.round(ms / size), unit);
}

/** Returns a duration in the largest fitting unit: `340 ms`, `2.4 s`, `3 min 20 s`. */
export function describeDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
