import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../schema/compile-schema.ts';
import { patchSettings, SchedulePatchSchema, settingsOf } from './schedule-patch.ts';
import { CreateScheduleRequestSchema, urlsOf } from './schedule-settings.ts';

const check = compileSchema(SchedulePatchSchema);
const checkNew = compileSchema(CreateScheduleRequestSchema);
const settings = settingsOf({
  url: 'https://example.com/',
  cron: '0 9 * * *',
  name: 'Prices',
  timezone: 'Europe/Berlin',
  overlap: 'allow',
  headers: { A: '1', B: '2' },
  webhook: 'https://hooks.example/',
});

describe('settingsOf', () => {
  it('fills in the defaults', () => {
    expect(settingsOf({ url: 'https://example.com/', cron: '0 9 * * *' })).toEqual({
      url: 'https://example.com/',
      cron: '0 9 * * *',
      name: 'Untitled schedule',
      timezone: 'UTC',
      overlap: 'skip',
    });
  });
});

describe('patchSettings', () => {
  it('keeps settings that the patch does not name', () => {
    expect(patchSettings(settings, {})).toEqual(settings);
  });

  it('replaces a setting as a whole', () => {
    expect(patchSettings(settings, { headers: { C: '3' }, cron: '5 * * * *' })).toEqual({
      ...settings,
      headers: { C: '3' },
      cron: '5 * * * *',
    });
  });

  it('resets an optional setting with null, to its default if it has one', () => {
    const patch = { name: null, timezone: null, overlap: null, headers: null, webhook: null, proxy: null };
    expect(patchSettings(settings, patch)).toEqual(
      settingsOf({ url: 'https://example.com/', cron: settings.cron }),
    );
  });
});

describe('the URLs of a schedule', () => {
  const URLS = ['https://example.com/a', 'https://example.com/b'];

  it('are one or several, and each replaces the other', () => {
    const several = patchSettings(settings, { urls: URLS });
    expect(several).toMatchObject({ urls: URLS, headers: { A: '1', B: '2' } });
    expect(several).not.toHaveProperty('url');
    expect(urlsOf(several)).toEqual(URLS);
    const one = patchSettings(several, { url: 'https://example.org/' });
    expect(one).not.toHaveProperty('urls');
    expect(urlsOf(one)).toEqual(['https://example.org/']);
    expect(patchSettings(several, { name: 'New' })).toEqual({ ...several, name: 'New' });
  });

  it.each([
    [{}, 'url', 'is required, or urls in its place'],
    [{ url: 'https://a.example/', urls: URLS }, 'urls', 'must be left out when url is given'],
    [{ urls: [] }, 'urls', 'must have at least 1 entry'],
    [{ urls: 'https://a.example/' }, 'urls', 'must be an array, not a string'],
    [{ urls: ['https://a.example/', 5] }, 'urls.1', 'must be a string, not 5'],
    [{ urls: Array(1001).fill('https://a.example/') }, 'urls', 'must have at most 1000 entries'],
    [{ url: null }, 'url', 'must be a string, not null'],
  ])('are rejected in %j', (body, path, message) => {
    const details = [{ path, message }];
    expect(checkNew({ cron: '0 9 * * *', ...body })).toEqual({ ok: false, details });
  });
});

describe('the schema of a patch', () => {
  it.each([
    [{}],
    [{ url: 'https://example.org/' }],
    [{ urls: ['https://example.org/', 'https://example.com/'] }],
    [{ selectors: { title: 'h1' }, waitFor: '#done', webhook: { url: 'https://a.example/' } }],
    [{ selectors: null, render: null, antiBot: null, proxy: null, waitFor: null, screenshot: null }],
    [{ cookies: null, headers: null, timeout: null, webhook: null, name: null, overlap: null }],
  ])('accepts %j', (patch) => {
    expect(check(patch)).toEqual({ ok: true, value: patch });
  });

  it.each([
    [{ url: null }, 'url', 'must be a string, not null'],
    [{ urls: null }, 'urls', 'must be an array, not null'],
    [
      { url: 'https://a.example/', urls: ['https://a.example/'] },
      'urls',
      'must be left out when url is given',
    ],
    [{ cron: null }, 'cron', 'must be a string, not null'],
    [{ cron: 5 }, 'cron', 'must be a string, not 5'],
    [{ proxy: 5 }, 'proxy', 'must be a lower-case country code such as "us", or null to reset it'],
    [{ proxy: 'USA!' }, 'proxy', 'must be a lower-case country code such as "us"'],
    [
      { locale: 'de_DE' },
      'locale',
      'must be a language tag such as "de" or "en-US", not "de_DE"; write "de-DE"',
    ],
    [{ locale: 'not a tag' }, 'locale', 'must be a language tag such as "de" or "en-US"'],
    [{ render: 'yes' }, 'render', 'must be true, false or "auto"'],
    [{ antiBot: 'yes' }, 'antiBot', 'must be true or false, or null to reset it'],
    [{ name: '' }, 'name', 'must be a text of 1 to 200 characters without control characters'],
    [{ overlap: 'queue' }, 'overlap', 'must be one of: skip, allow'],
    [{ timeout: 5 }, 'timeout', 'must be at least 1000'],
    [{ cookies: [{ name: 'a' }] }, 'cookies.0.value', 'is required'],
    [{ status: 'paused' }, 'status', 'is not a known field'],
    [{ nextRunAt: '2030-01-01T00:00:00Z' }, 'nextRunAt', 'is not a known field'],
  ])('rejects %j', (patch, path, message) => {
    expect(check(patch)).toEqual({
      ok: false,
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });
});
