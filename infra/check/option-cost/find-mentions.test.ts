import { describe, expect, it } from '@jest/globals';
import { findMentions, optionsIn } from './find-mentions.ts';

/** Most files that may name an option. A number goes down with each file less; it goes up for a reason alone. */
const MOST: Readonly<Record<string, number>> = {
  repeatable: 2,
  maxAge: 12,
  freshContext: 2,
  frames: 3,
  pdf: 5,
  onSuspect: 5,
  extract: 20,
  recipe: 9,
  capture: 8,
  form: 10,
  overlays: 10,
  download: 11,
  locale: 15,
  json: 14,
  render: 11,
  timeout: 13,
  profile: 16,
  waitFor: 16,
  snapshot: 20,
  method: 18,
  antiBot: 19,
  cookies: 20,
  proxy: 24,
  screenshot: 24,
  actions: 26,
  maxCredits: 40,
  body: 37,
  formats: 37,
  selectors: 42,
  headers: 50,
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
