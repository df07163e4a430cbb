import { describe, expect, it } from '@jest/globals';
import { TimeZones } from './time-zones.ts';

const HOUR_MS = 3_600_000;
const winter = Date.parse('2026-01-15T12:00:00Z');
const summer = Date.parse('2026-07-15T12:00:00Z');

describe('TimeZones', () => {
  it.each([
    ['UTC', 0, 0],
    ['Europe/Berlin', 1, 2],
    ['europe/berlin', 1, 2],
    ['America/New_York', -5, -4],
    ['Asia/Kolkata', 5.5, 5.5],
    ['Asia/Calcutta', 5.5, 5.5],
    ['Asia/Kathmandu', 5.75, 5.75],
    ['Australia/Lord_Howe', 11, 10.5],
    ['Pacific/Chatham', 13.75, 12.75],
    ['America/Argentina/Buenos_Aires', -3, -3],
    ['Etc/GMT+5', -5, -5],
    ['EST5EDT', -5, -4],
    ['GMT', 0, 0],
    ['US/Pacific', -8, -7],
  ])('knows %s', (name, inWinter, inSummer) => {
    const zone = new TimeZones().find(name);
    expect(zone.offsetMsAt(winter) / HOUR_MS).toBe(inWinter);
    expect(zone.offsetMsAt(summer) / HOUR_MS).toBe(inSummer);
  });

  it.each([
    ['UTC+25', 'Europe/Berlin'],
    ['UTC+2', 'always 2 h ahead of UTC is Etc/GMT-2'],
    ['GMT-05:00', 'always 5 h behind UTC is Etc/GMT+5'],
    ['+01:00', 'always 1 h ahead of UTC is Etc/GMT-1'],
    ['+0100', 'Europe/Berlin'],
    ['Europe/Berln', 'did you mean Europe/Berlin'],
    ['Berlin', 'did you mean Europe/Berlin'],
    ['New York', 'did you mean America/New_York'],
    ['PST', 'America/New_York'],
    ['IST', 'Europe/Berlin'],
    ['Z', 'UTC'],
    ['Mars/Olympus_Mons', 'Europe/Berlin'],
    ['Etc/Unknown', 'UTC'],
    ['SystemV/PST8', 'UTC'],
    [' UTC', 'UTC'],
    ['', 'UTC'],
    ['../../etc/passwd', 'UTC'],
    ['x'.repeat(10_000), 'UTC'],
  ])('refuses "%s", and helps: %s', (name, suggestion) => {
    expect(() => new TimeZones().find(name)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        suggestion: expect.stringContaining(suggestion),
        details: [{ path: 'timezone', message: expect.stringContaining('not an IANA time zone') }],
      }),
    );
  });
});
