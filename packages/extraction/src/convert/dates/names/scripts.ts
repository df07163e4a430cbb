/** A script, its distinctive words, and the locales with names to read in documents of any language. */
interface Script {
  readonly name: string;
  readonly letter: RegExp;
  readonly locales: string;
}

const SCRIPTS: readonly Script[] = [
  {
    name: 'Latin',
    letter: /^\p{sc=Latin}/u,
    locales:
      'de de-AT fr es it pt nl pl cs sk sl hr sr-Latn ro hu tr da sv nb fi et lv lt id ms vi ' +
      'ca gl eu sq az is ga cy af fil sw',
  },
  { name: 'Cyrillic', letter: /^\p{sc=Cyrillic}/u, locales: 'ru uk be bg sr mk kk' },
  { name: 'Arabic', letter: /^\p{sc=Arabic}/u, locales: 'ar ar-SY ar-DZ ar-MA fa ur' },
  { name: 'Han', letter: /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u, locales: 'ja zh zh-Hant' },
  { name: 'Hangul', letter: /^\p{sc=Hangul}/u, locales: 'ko' },
  { name: 'Thai', letter: /^\p{sc=Thai}/u, locales: 'th' },
  { name: 'Greek', letter: /^\p{sc=Greek}/u, locales: 'el' },
  { name: 'Hebrew', letter: /^\p{sc=Hebrew}/u, locales: 'he' },
  { name: 'Devanagari', letter: /^\p{sc=Devanagari}/u, locales: 'hi mr ne' },
  { name: 'Bengali', letter: /^\p{sc=Bengali}/u, locales: 'bn' },
  { name: 'Tamil', letter: /^\p{sc=Tamil}/u, locales: 'ta' },
  { name: 'Telugu', letter: /^\p{sc=Telugu}/u, locales: 'te' },
  { name: 'Gujarati', letter: /^\p{sc=Gujarati}/u, locales: 'gu' },
  { name: 'Georgian', letter: /^\p{sc=Georgian}/u, locales: 'ka' },
  { name: 'Armenian', letter: /^\p{sc=Armenian}/u, locales: 'hy' },
];

const LOCALES: ReadonlyMap<string, readonly string[]> = new Map(
  SCRIPTS.map(({ name, locales }) => [name, locales.split(' ')]),
);

/** Returns the name of a word's script, or "" for one whose languages are not read. */
export function scriptOf(word: string): string {
  return SCRIPTS.find(({ letter }) => letter.test(word))?.name ?? '';
}

/** Returns the locales that may use a script. */
export function localesOf(script: string): readonly string[] {
  return LOCALES.get(script) ?? [];
}
