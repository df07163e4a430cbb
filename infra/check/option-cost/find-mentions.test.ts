import { describe, expect, it } from '@jest/globals';
import { findMentions, optionsIn } from './find-mentions.ts';

/** Most files that may name an option. A number goes down with each file less; it goes up for a reason alone. */
const MOST: Readonly<Record<string, number>> = {
  repeatable: 2,
  freshContext: 2,
  frames: 3,
  pdf: 4,
  onSuspect: 5,
  capture: 8,
  form: 10,
  overlays: 10,
  download: 11,
  locale: 12,
  json: 12,
  render: 11,
  timeout: 12,
  profile: 14,
  waitFor: 16,
  snapshot: 17,
  method: 18,
  antiBot: 18,
  cookies: 20,
  proxy: 23,
  screenshot: 24,
  actions: 25,
  maxCredits: 26,
  body: 29,
  formats: 35,
  selectors: 38,
  headers: 42,
};

describe('optionsIn', () => {
  it.each([
    ['an option that is read from a request', 'const { frames } = task.request;', ['frames']],
    ['a property of options', 'run(options.pdf?.maxPages);', ['pdf']],
    ['a name that has no other meaning', "const NAMES = ['onSuspect'];", ['onSuspect']],
    ['a key beside a type of options', 'const a: ScrapeOptions = { locale };', ['locale']],
    ['no word with another meaning', 'send({ body, headers }); // options.pdf', []],
  ])('finds %s', (_case, source, names) => {
    expect(optionsIn('a.ts', source)).toEqual(names);
  });
});

describe('findMentions', () => {
  const counts = [...findMentions()].map(([name, files]) => ({ name, files }));

  it('knows every option, and no other', () => {
    expect(counts.map(({ name }) => name).sort()).toEqual(Object.keys(MOST).sort());
  });

  it.each(counts)('finds no more files than before that name $name', ({ name, files }) => {
    const most = MOST[name] ?? 0;
    expect(files.length > most ? files : []).toEqual([]);
  });
});
