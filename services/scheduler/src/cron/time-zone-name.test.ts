import { describe, expect, it } from '@jest/globals';
import { timeZoneName } from './time-zone-name.ts';

describe('timeZoneName', () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'America/Argentina/Buenos_Aires',
    'America/Argentina/ComodRivadavia',
    'America/Port-au-Prince',
    'Africa/Dar_es_Salaam',
    'Europe/Isle_of_Man',
    'Antarctica/McMurdo',
    'Australia/NSW',
    'Etc/GMT+5',
    'Etc/Greenwich',
    'EST5EDT',
    'CET',
    'GMT',
    'GB-Eire',
    'NZ-CHAT',
    'US/Pacific',
    'US/East-Indiana',
    'Zulu',
  ])('returns %s for this name in any case', (name) => {
    expect(timeZoneName(name)).toBe(name);
    expect(timeZoneName(name.toLowerCase())).toBe(name);
    expect(timeZoneName(name.toUpperCase())).toBe(name);
  });

  it.each([
    ['UTC+25', 'Europe/Berlin'],
    ['UTC+2', 'always 2 h ahead of UTC is Etc/GMT-2'],
    ['GMT-05:00', 'always 5 h behind UTC is Etc/GMT+5'],
    ['+01:00', 'always 1 h ahead of UTC is Etc/GMT-1'],
    ['+0100', 'Europe/Berlin'],
    ['Europe/Berln', 'the nearest name is Europe/Berlin'],
    ['Berlin', 'the nearest name is Europe/Berlin'],
    ['New York', 'the nearest name is America/New_York'],
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
  ])('rejects "%s" and suggests %s', (name, suggestion) => {
    expect(() => timeZoneName(name)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        suggestion: expect.stringContaining(suggestion),
        details: [{ path: 'timezone', message: expect.stringContaining('not an IANA time zone') }],
      }),
    );
  });
});
