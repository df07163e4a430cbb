import { describe, expect, it } from '@jest/globals';
import { Cron as Croner } from 'croner';
import { nextRun } from './next-run.ts';
import { parseCron } from './parse-cron.ts';
import { createTimeZone, type TimeZone } from './time-zone.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'America/St_Johns',
  'Europe/Berlin',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Amman',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Antarctica/Troll',
];

/** By how often they run: daily and rarer ones over years, the others over weeks with changes of the clocks. */
const RARE = ['30 2 * * *', '0 9 1,15 * 1', '15 23 31 * *', '5 4 * jan,jul sun'];
const FREQUENT = ['*/30 * * * *', '7 * * * 0,6', '*/20 0-3 * * *', '0 */2 * * *'];
const YEARS = [['2022-01-15', '2024-06-15']] as const;
const WEEKS = [
  ['2023-03-10', '2023-03-28'],
  ['2023-04-21', '2023-04-30'],
  ['2023-10-26', '2023-11-06'],
] as const;
const CASES = ZONES.flatMap((zone) => [
  ...RARE.map((expression) => ({ zone, expression, spans: YEARS })),
  ...FREQUENT.map((expression) => ({ zone, expression, spans: WEEKS })),
]);

/**
 * Where both differ, the clocks change: croner leaves out times with steps that are skipped and repeats those with
 * steps or ranges, while here it is the hour field alone that tells local times from passing hours. What happens then
 * is held by the table of `next-run.test.ts`.
 */
describe('nextRun beside croner', () => {
  it.each(CASES)(
    'runs "$expression" in $zone when croner does, but where the clocks change',
    ({ zone, expression, spans }) => {
      const timeZone = createTimeZone(zone);
      const cron = parseCron(expression);
      const croner = new Croner(expression, { timezone: zone });
      for (const [from, to] of spans) {
        const ours = collect((after) => nextRun(cron, timeZone, after), from, to);
        const theirs = collect((after) => croner.nextRun(after), from, to);
        const differing = differenceOf(ours, theirs).filter((ms) => !isNearChange(timeZone, ms));
        expect(differing.map((ms) => new Date(ms).toISOString())).toEqual([]);
        expect(theirs.size).toBeGreaterThan(0);
      }
    },
  );
});

function collect(next: (after: Date) => Date | null, from: string, to: string): Set<number> {
  const found = new Set<number>();
  for (let run = next(new Date(from)); run && run < new Date(to); run = next(run)) found.add(run.getTime());
  return found;
}

function differenceOf(one: Set<number>, other: Set<number>): number[] {
  return [...[...one].filter((ms) => !other.has(ms)), ...[...other].filter((ms) => !one.has(ms))];
}

const NEAR_MS = 3 * 3600 * 1000;

function isNearChange(zone: TimeZone, ms: number): boolean {
  return zone.offsetMsAt(ms - NEAR_MS) !== zone.offsetMsAt(ms + NEAR_MS);
}
