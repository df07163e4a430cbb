import { createRandom, type Random } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { readOffsets, walkClock, type ZoneOffsets } from '../../test/support/walk-clock.ts';
import { NextRuns } from './next-run.ts';
import { parseCron } from './parse-cron.ts';

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
const EXPRESSIONS = [
  '30 2 * * *',
  '0 9 1,15 * 1',
  '15 23 31 * *',
  '5 4 * jan,jul sun',
  '*/30 * * * *',
  '7 * * * 0,6',
  '*/20 0-3 * * *',
  '0 */2 * * *',
];
const CASES = ZONES.flatMap((timezone) => EXPRESSIONS.map((cron) => ({ timezone, cron })));

const DAY_MS = 24 * 3600 * 1000;

type Span = readonly [fromMs: number, toMs: number];

const SPAN: Span = [Date.parse('2022-01-15T00:00:00Z'), Date.parse('2023-06-15T00:00:00Z')];

/** Returns the days around each change of a zone's clocks within a span; without a change, its first month. */
function spansOf({ changes }: ZoneOffsets, [fromMs]: Span): Span[] {
  if (changes.length === 0) return [[fromMs, fromMs + 30 * DAY_MS]];
  return changes.map((change) => [change - 2 * DAY_MS, change + 2 * DAY_MS]);
}

const offsets = new Map<string, ZoneOffsets>();

function offsetsOf(timezone: string, [fromMs, toMs]: Span): ZoneOffsets {
  const known = offsets.get(timezone) ?? readOffsets(timezone, fromMs, toMs);
  offsets.set(timezone, known);
  return known;
}

const nextRuns = new NextRuns();

function runsOf(cron: string, timezone: string, fromMs: number, toMs: number): Date[] {
  const found: Date[] = [];
  for (let run = nextRuns.find({ cron, timezone }, new Date(fromMs)); run.getTime() < toMs; ) {
    found.push(run);
    run = nextRuns.find({ cron, timezone }, run);
  }
  return found;
}

function expectSameRuns(cron: string, timezone: string, span = SPAN): void {
  const zone = offsetsOf(timezone, span);
  const parsed = parseCron(cron);
  for (const [fromMs, toMs] of spansOf(zone, span)) {
    expect(runsOf(cron, timezone, fromMs, toMs)).toEqual(walkClock(parsed, zone, fromMs, toMs));
  }
}

describe('NextRuns', () => {
  it.each(CASES)(
    'finds the runs of "$cron" in $timezone that a walk along the clock finds',
    ({ timezone, cron }) => expectSameRuns(cron, timezone),
  );

  it.each(ZONES.map((timezone, index) => ({ timezone, seed: index + 1 })))(
    'finds the runs of generated expressions in $timezone that a walk along the clock finds (seed $seed)',
    ({ timezone, seed }) => {
      const random = createRandom(seed);
      for (let count = 0; count < 6; count += 1) expectSameRuns(generate(random), timezone);
    },
  );

  it.each([
    { timezone: 'Pacific/Apia', day: '2011-12-30' },
    { timezone: 'Pacific/Fakaofo', day: '2011-12-30' },
    { timezone: 'Pacific/Kiritimati', day: '1994-12-31' },
    { timezone: 'Pacific/Kwajalein', day: '1993-08-21' },
  ])('makes up for $day, which the clocks of $timezone skipped', ({ timezone, day }) => {
    const span: Span = [Date.parse(day) - 10 * DAY_MS, Date.parse(day) + 10 * DAY_MS];
    expect(offsetsOf(timezone, span).changes).toHaveLength(1);
    const random = createRandom(31);
    for (const cron of EXPRESSIONS) expectSameRuns(cron, timezone, span);
    for (let count = 0; count < 30; count += 1) expectSameRuns(generate(random), timezone, span);
  });
});

const FIELDS = [
  ['0', '30', '*/15', '*/20', '7', '0,45', '10-20/5', '5-50/15'],
  ['*', '0', '1', '2', '3', '*/2', '0-3', '1,2', '*/6', '0-23', '23', '2-4'],
  ['*', '*', '*', '1', '13', '*/2', '*/10', '1,15', '1-7', '28-31'],
  ['*', '*', '*', '3,10,11', '*/2', 'jan-jun'],
  ['*', '*', '*', '1', '1-5', '0', '*/2', '*/7', 'sat,sun', '7'],
] as const;

function generate(random: Random): string {
  return FIELDS.map((choices) => random.pick(choices)).join(' ');
}
