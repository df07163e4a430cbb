import { describe, expect, it } from '@jest/globals';
import { describeVisitor } from './describe-visitor.ts';
import { timeZoneOf } from './time-zone-of.ts';

const browser = { version: '153.0.8010.2' };

describe('describeVisitor', () => {
  it('claims the same Chrome version everywhere, the one that the browser has', () => {
    const { userAgent, metadata } = describeVisitor(browser, {});
    expect(userAgent).toContain('Chrome/153.0.0.0 ');
    expect(metadata.brands).toContainEqual({ brand: 'Google Chrome', version: '153' });
    expect(metadata.fullVersionList).toContainEqual({ brand: 'Google Chrome', version: '153.0.8010.2' });
    expect(metadata.fullVersionList?.map(({ brand }) => brand)).toEqual(
      metadata.brands?.map(({ brand }) => brand),
    );
  });

  it.each([
    [{}, ['en-US', 'en'], undefined],
    [{ proxy: 'de' }, ['de-DE', 'de', 'en-US', 'en'], 'Europe/Berlin'],
    [{ proxy: 'us' }, ['en-US', 'en'], 'America/New_York'],
    [{ proxy: 'gb' }, ['en-GB', 'en'], 'Europe/London'],
    [{ proxy: 'jp' }, ['ja-JP', 'ja', 'en-US', 'en'], 'Asia/Tokyo'],
    [{ proxy: 'xyz' }, ['en-US', 'en'], undefined],
    [
      { proxy: 'de', headers: { 'accept-LANGUAGE': 'fr-CH, fr;q=0.9, *;q=0.5' } },
      ['fr-CH', 'fr'],
      'Europe/Berlin',
    ],
  ])('takes languages and time zone from %j', (request, languages, timeZone) => {
    expect(describeVisitor(browser, request)).toMatchObject({ languages, timeZone });
  });
});

describe('timeZoneOf', () => {
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));

  it('returns a valid zone for every country', () => {
    const zones = codes.flatMap((code) => (regions.of(code.toUpperCase()) ? (timeZoneOf(code) ?? []) : []));
    expect(zones.length).toBeGreaterThan(200);
    for (const timeZone of zones) {
      expect(new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone).toBeTruthy();
    }
  });
});
