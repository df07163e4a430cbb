import { describe, expect, it } from '@jest/globals';
import { nextRun } from './next-run.ts';
import { parseCron } from './parse-cron.ts';
import { createTimeZone } from './time-zone.ts';

/** The next runs after a moment, as UTC to the minute. */
function runs(expression: string, zone: string, after: string, count: number): string[] {
  const cron = parseCron(expression);
  const timeZone = createTimeZone(zone);
  const found: string[] = [];
  for (let last = new Date(after); found.length < count; ) {
    last = nextRun(cron, timeZone, last);
    found.push(last.toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

describe('nextRun', () => {
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
    ['both, when one begins with * and a step', '0 0 */2 * 1', ['02-09', '02-23', '03-09', '03-23', '04-13']],
    [
      'both, when the day of the week has the step',
      '0 0 1-7 * */7',
      ['02-01', '03-01', '04-05', '05-03', '06-07'],
    ],
  ])('takes the days of %s', (_case, expression, days) => {
    const found = runs(expression, 'UTC', '2026-01-31T00:00:00Z', days.length);
    expect(found.map((run) => run.slice(5, 10))).toEqual(days);
  });

  // Each row: the clocks of the zone change within these runs.
  it.each([
    [
      'a skipped time once, when the clocks skip it',
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
      'a repeated time not again, asked between the two',
      '30 1 * * *',
      'America/New_York',
      '2025-11-02T05:45:00Z',
      ['2025-11-03T06:30Z'],
    ],
    [
      'a repeated time not again, asked after the second began',
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
      'every hour, the repeated one too',
      '0 * * * *',
      'America/New_York',
      '2025-11-02T04:30:00Z',
      ['2025-11-02T05:00Z', '2025-11-02T06:00Z', '2025-11-02T07:00Z'],
    ],
    [
      'every hour, none for the missing one',
      '20 * * * *',
      'America/New_York',
      '2025-03-09T05:30:00Z',
      ['2025-03-09T06:20Z', '2025-03-09T07:20Z'],
    ],
    [
      'a time that half an hour skips',
      '10 2 * * *',
      'Australia/Lord_Howe',
      '2025-10-04T00:00:00Z',
      ['2025-10-04T15:30Z', '2025-10-05T15:10Z'],
    ],
    [
      'a time that half an hour repeats',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2025-04-05T00:00:00Z',
      ['2025-04-05T14:45Z', '2025-04-06T15:15Z'],
    ],
    [
      'every quarter where half an hour is repeated',
      '*/15 * * * *',
      'Australia/Lord_Howe',
      '2025-04-05T14:31:00Z',
      ['2025-04-05T14:45Z', '2025-04-05T15:00Z', '2025-04-05T15:15Z', '2025-04-05T15:30Z'],
    ],
    [
      'a midnight that is skipped',
      '0 0 * * *',
      'America/Santiago',
      '2025-09-06T12:00:00Z',
      ['2025-09-07T04:00Z', '2025-09-08T03:00Z'],
    ],
    [
      'a midnight that is repeated',
      '0 0 * * *',
      'America/Havana',
      '2025-11-01T12:00:00Z',
      ['2025-11-02T04:00Z', '2025-11-03T05:00Z'],
    ],
    [
      'a day whose last hour is repeated',
      '30 23 * * *',
      'Asia/Beirut',
      '2025-10-25T12:00:00Z',
      ['2025-10-25T20:30Z', '2025-10-26T21:30Z'],
    ],
    [
      'two hours that are skipped',
      '30 1,2 * * *',
      'Antarctica/Troll',
      '2025-03-29T12:00:00Z',
      ['2025-03-30T01:00Z', '2025-03-30T23:30Z', '2025-03-31T00:30Z'],
    ],
    [
      'a whole day that is skipped',
      '0 9 * * *',
      'Pacific/Apia',
      '2011-12-29T12:00:00Z',
      ['2011-12-29T19:00Z', '2011-12-30T10:00Z', '2011-12-30T19:00Z'],
    ],
    [
      'a zone that gives up its summer time',
      '0 12 1 1,7 *',
      'America/Sao_Paulo',
      '2018-12-31T00:00:00Z',
      ['2019-01-01T14:00Z', '2019-07-01T15:00Z', '2020-01-01T15:00Z'],
    ],
    [
      'a zone that stays on its summer time',
      '0 12 1 1,7 *',
      'Asia/Amman',
      '2021-12-31T00:00:00Z',
      ['2022-01-01T10:00Z', '2022-07-01T09:00Z', '2023-01-01T09:00Z'],
    ],
    [
      'a zone that changes for Ramadan',
      '30 2 * * *',
      'Africa/Casablanca',
      '2025-02-21T12:00:00Z',
      ['2025-02-22T01:30Z', '2025-02-23T01:30Z'],
    ],
  ])('runs %s', (_case, expression, zone, after, expected) => {
    expect(runs(expression, zone, after, expected.length)).toEqual(expected);
  });
});
