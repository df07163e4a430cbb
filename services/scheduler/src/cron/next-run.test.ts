import { describe, expect, it } from '@jest/globals';
import { NextRuns, searchStart } from './next-run.ts';

/** Returns the next runs after a moment, as UTC to the minute. */
function runs(cron: string, timezone: string, after: string, count: number): string[] {
  const nextRuns = new NextRuns();
  const found: string[] = [];
  for (let last = new Date(after); found.length < count; ) {
    last = nextRuns.find({ cron, timezone }, last);
    found.push(last.toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

describe('NextRuns', () => {
  it.each([
    ['* * * * *', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-01T00:01Z', '2026-01-01T00:02Z']],
    ['* * * * *', 'UTC', '2025-12-31T23:59:59.999Z', ['2026-01-01T00:00Z']],
    ['0 9 * * 1-5', 'Europe/Berlin', '2026-01-02T08:00:00Z', ['2026-01-05T08:00Z', '2026-01-06T08:00Z']],
    ['0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', ['2026-01-01T03:30Z']],
    ['0 9 * * *', 'Asia/Kathmandu', '2026-01-01T00:00:00Z', ['2026-01-01T03:15Z']],
    ['0 * * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', ['2026-01-01T00:30Z', '2026-01-01T01:30Z']],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
    ['0 0 29 2 *', 'UTC', '2097-01-01T00:00:00Z', ['2104-02-29T00:00Z']],
    ['0 0 31 * *', 'UTC', '2026-01-31T00:00:00Z', ['2026-03-31T00:00Z', '2026-05-31T00:00Z']],
    ['0 0 * * 7', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-04T00:00Z', '2026-01-11T00:00Z']],
  ])('finds "%s" in %s after %s', (expression, zone, after, expected) => {
    expect(runs(expression, zone, after, expected.length)).toEqual(expected);
  });

  it.each([
    [
      'either day field, when both are restricted',
      '0 0 13 * 5',
      ['02-06', '02-13', '02-20', '02-27', '03-06'],
    ],
    [
      'both day fields, when one begins with * and a step',
      '0 0 */2 * 1',
      ['02-09', '02-23', '03-09', '03-23', '04-13'],
    ],
    [
      'both day fields, when the day of the week has the step',
      '0 0 1-7 * */7',
      ['02-01', '03-01', '04-05', '05-03', '06-07'],
    ],
  ])('matches %s', (_case, expression, days) => {
    const found = runs(expression, 'UTC', '2026-01-31T00:00:00Z', days.length);
    expect(found.map((run) => run.slice(5, 10))).toEqual(days);
  });

  // Each row: the clocks of the zone change within these runs.
  it.each([
    [
      'a skipped time once, right after the gap',
      '30 2 * * *',
      'America/New_York',
      '2025-03-08T12:00:00Z',
      ['2025-03-09T07:00Z', '2025-03-10T06:30Z'],
    ],
    [
      'several skipped times as one',
      '*/15 2 * * *',
      'America/New_York',
      '2025-03-09T00:00:00Z',
      ['2025-03-09T07:00Z', '2025-03-10T06:00Z', '2025-03-10T06:15Z'],
    ],
    [
      'a skipped time and the one right after it as one',
      '0 2,3 * * *',
      'America/New_York',
      '2025-03-09T00:00:00Z',
      ['2025-03-09T07:00Z', '2025-03-10T06:00Z', '2025-03-10T07:00Z'],
    ],
    [
      'a repeated time the first time',
      '30 1 * * *',
      'America/New_York',
      '2025-11-01T12:00:00Z',
      ['2025-11-02T05:30Z', '2025-11-03T06:30Z'],
    ],
    [
      'a repeated time not again, when asked between the two',
      '30 1 * * *',
      'America/New_York',
      '2025-11-02T05:45:00Z',
      ['2025-11-03T06:30Z'],
    ],
    [
      'a repeated time not again, when asked after the second began',
      '30 1 * * *',
      'America/New_York',
      '2025-11-02T06:10:00Z',
      ['2025-11-03T06:30Z'],
    ],
    [
      'repeated times with steps once each',
      '*/30 1,2 * * *',
      'America/New_York',
      '2025-11-02T04:00:00Z',
      ['2025-11-02T05:00Z', '2025-11-02T05:30Z', '2025-11-02T07:00Z', '2025-11-02T07:30Z'],
    ],
    [
      'every hour, including the repeated one',
      '0 * * * *',
      'America/New_York',
      '2025-11-02T04:30:00Z',
      ['2025-11-02T05:00Z', '2025-11-02T06:00Z', '2025-11-02T07:00Z'],
    ],
    [
      'every hour, without making up for the skipped one',
      '20 * * * *',
      'America/New_York',
      '2025-03-09T05:30:00Z',
      ['2025-03-09T06:20Z', '2025-03-09T07:20Z'],
    ],
    [
      'a time in a skipped half hour',
      '10 2 * * *',
      'Australia/Lord_Howe',
      '2025-10-04T00:00:00Z',
      ['2025-10-04T15:30Z', '2025-10-05T15:10Z'],
    ],
    [
      'a time in a repeated half hour',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2025-04-05T00:00:00Z',
      ['2025-04-05T14:45Z', '2025-04-06T15:15Z'],
    ],
    [
      'every quarter of an hour, including those of a repeated half hour',
      '*/15 * * * *',
      'Australia/Lord_Howe',
      '2025-04-05T14:31:00Z',
      ['2025-04-05T14:45Z', '2025-04-05T15:00Z', '2025-04-05T15:15Z', '2025-04-05T15:30Z'],
    ],
    [
      'a skipped midnight once',
      '0 0 * * *',
      'America/Santiago',
      '2025-09-06T12:00:00Z',
      ['2025-09-07T04:00Z', '2025-09-08T03:00Z'],
    ],
    [
      'a repeated midnight once',
      '0 0 * * *',
      'America/Havana',
      '2025-11-01T12:00:00Z',
      ['2025-11-02T04:00Z', '2025-11-03T05:00Z'],
    ],
    [
      'a time in a repeated last hour of the day once',
      '30 23 * * *',
      'Asia/Beirut',
      '2025-10-25T12:00:00Z',
      ['2025-10-25T20:30Z', '2025-10-26T21:30Z'],
    ],
    [
      'times in two skipped hours once',
      '30 1,2 * * *',
      'Antarctica/Troll',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00Z', '2025-03-30T23:30Z', '2025-03-31T00:30Z'],
    ],
    [
      'times on a skipped day once, right after the gap',
      '0 9 * * *',
      'Pacific/Apia',
      '2011-12-29T12:00:00Z',
      ['2011-12-29T19:00Z', '2011-12-30T10:00Z', '2011-12-30T19:00Z'],
    ],
    [
      'a weekly schedule for a skipped day',
      '*/15 8-17 * * fri',
      'Pacific/Apia',
      '2011-12-27T00:00:00Z',
      ['2011-12-30T10:00Z', '2012-01-05T18:00Z'],
    ],
    [
      'a yearly schedule for a skipped day',
      '30 23 30 12 *',
      'Pacific/Apia',
      '2011-01-01T00:00:00Z',
      ['2011-12-30T10:00Z', '2012-12-30T09:30Z'],
    ],
    [
      'at the usual time after a skipped day without a matching time',
      '0 9 31 * *',
      'Pacific/Apia',
      '2011-12-27T00:00:00Z',
      ['2011-12-30T19:00Z', '2012-01-30T19:00Z'],
    ],
    [
      'every hour, without making up for a skipped day',
      '0 * * * *',
      'Pacific/Apia',
      '2011-12-30T08:30:00Z',
      ['2011-12-30T09:00Z', '2011-12-30T10:00Z', '2011-12-30T11:00Z'],
    ],
    [
      'times on the skipped day of another zone once',
      '0 9 * * *',
      'Pacific/Kwajalein',
      '1993-08-20T12:00:00Z',
      ['1993-08-20T21:00Z', '1993-08-21T12:00Z', '1993-08-21T21:00Z'],
    ],
    [
      'at local time in a zone that gives up summer time',
      '0 12 1 1,7 *',
      'America/Sao_Paulo',
      '2018-12-31T00:00:00Z',
      ['2019-01-01T14:00Z', '2019-07-01T15:00Z', '2020-01-01T15:00Z'],
    ],
    [
      'at local time in a zone that stays on summer time',
      '0 12 1 1,7 *',
      'Asia/Amman',
      '2021-12-31T00:00:00Z',
      ['2022-01-01T10:00Z', '2022-07-01T09:00Z', '2023-01-01T09:00Z'],
    ],
    [
      'at local time in a zone that changes its clocks for Ramadan',
      '30 2 * * *',
      'Africa/Casablanca',
      '2025-02-21T12:00:00Z',
      ['2025-02-22T01:30Z', '2025-02-23T01:30Z'],
    ],
  ])('runs %s', (_case, expression, zone, after, expected) => {
    expect(runs(expression, zone, after, expected.length)).toEqual(expected);
  });

  it('returns the same runs for more timings than it keeps', () => {
    const nextRuns = new NextRuns();
    const after = new Date('2026-01-01T00:00:00Z');
    for (let round = 0; round < 2; round += 1) {
      for (let minute = 0; minute < 240; minute += 1) {
        const cron = `${minute % 60} ${Math.floor(minute / 60)} 2 * *`;
        const expected = new Date(Date.UTC(2026, 0, 2, 0, minute));
        expect(nextRuns.find({ cron, timezone: 'UTC' }, after)).toEqual(expected);
      }
    }
  });
});

describe('searchStart', () => {
  it.each([
    ['now before the first tick', '12:00', undefined, '12:00'],
    ['now after the last tick', '12:00', '11:59', '12:00'],
    ['the last tick when the clock was set back behind it', '11:58', '12:00', '12:00'],
    ['the last tick when the clock lost hours', '09:00', '12:00', '12:00'],
    ['now when the last tick came from a clock that was far ahead', '08:59', '12:00', '08:59'],
  ])('returns %s', (_case, now, lastDueAt, expected) => {
    const at = (time: string) => new Date(`2026-01-01T${time}:00Z`);
    expect(searchStart(at(now), lastDueAt === undefined ? undefined : at(lastDueAt))).toEqual(at(expected));
  });
});
