/** Use of one day. */
export interface DayOfUse {
  readonly day: string;
  readonly credits: number;
  readonly requests: number;
}

const DAY_MS = 86_400_000;

/** Returns every day of a period, those without use as zeros. */
export function daysBetween(from: string, to: string, known: readonly DayOfUse[]): DayOfUse[] {
  const byDay = new Map(known.map((entry) => [entry.day, entry]));
  const days: DayOfUse[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push(byDay.get(day) ?? { day, credits: 0, requests: 0 });
  }
  return days;
}
