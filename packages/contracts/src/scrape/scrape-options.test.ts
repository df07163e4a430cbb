import { describe, expect, it } from '@jest/globals';
import { flagsOf } from './option.ts';
import { SCRAPE_OPTION_ROWS, SCRAPE_OPTIONS } from './scrape-options.ts';
import {
  browserOptionsOf,
  findExcludedOptions,
  mayRender,
  readingOptionsOf,
  type ScrapeOptions,
} from './scrape-request.ts';

describe('the rows of options', () => {
  it('exclude existing options alone', () => {
    const excluded = SCRAPE_OPTION_ROWS.flatMap(([, { excludes = {} }]) => Object.keys(excludes));
    expect(excluded.filter((name) => !(name in SCRAPE_OPTIONS))).toEqual([]);
    expect(excluded.length).toBeGreaterThan(0);
  });

  it('give each flag one name', () => {
    const names = SCRAPE_OPTION_ROWS.flatMap(([option, row]) => flagsOf(option, row)).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^--[a-z-]+$/.test(name))).toEqual([]);
  });

  it.each<[ScrapeOptions, browser: string[], reading: string[], mayRender: boolean]>([
    [{}, [], [], false],
    [{ render: 'auto', formats: ['text'] }, ['render'], ['formats'], true],
    [{ render: false, overlays: 'keep', onSuspect: 'keep', actions: [] }, [], [], false],
    [{ overlays: 'hide', snapshot: true }, [], ['overlays', 'snapshot'], false],
    [{ overlays: 'accept', waitFor: 0 }, ['waitFor', 'overlays'], [], true],
    [{ antiBot: true }, [], [], true],
    [{ antiBot: true, json: false }, [], [], false],
    [{ render: 'auto', method: 'HEAD' }, ['render'], [], false],
    [{ antiBot: true, method: 'GET' }, [], [], true],
  ])('say what %j needs', (options, browser, reading, renders) => {
    expect(browserOptionsOf(options)).toEqual(browser);
    expect(readingOptionsOf(options)).toEqual(reading);
    expect(mayRender(options)).toBe(renders);
  });

  it('find what a profile excludes', () => {
    const profile = 'prof_1';
    expect(findExcludedOptions({ profile, antiBot: false, cookies: [] }).map(({ path }) => path)).toEqual([
      'cookies',
    ]);
    expect(findExcludedOptions({ antiBot: true, cookies: [] })).toEqual([]);
  });
});
