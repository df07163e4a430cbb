/** A family of URLs with one unknown path to compare: those of one folder with names that look alike. */
export interface PathFamily {
  /** Equal for URLs of one family. */
  readonly key: string;
  /** Absolute URL beside the family for a page that cannot exist. */
  readonly unknownUrl: string;
}

/** Ending of a file name; a longer one is part of the name. */
const ENDING = /\.[a-z\d]{1,6}$/i;

/**
 * Returns the family of a URL. The path that does not exist has the form of the last segment: a number for a number, and the same
 * ending and slash. Undefined for the start page of a site, for which no other path can stand, and below a segment with a digit:
 * where that is the id of a page, sites often take any name after it.
 */
export function familyOf(url: string, random: () => number = Math.random): PathFamily | undefined {
  const { origin, pathname } = new URL(url);
  const slash = pathname.endsWith('/') ? '/' : '';
  const segments = pathname.slice(1, slash === '' ? undefined : -1).split('/');
  const name = segments.pop() ?? '';
  if (name === '' || segments.some((segment) => /\d/.test(segment))) return undefined;
  const folder = `${origin}/${segments.map((segment) => `${segment}/`).join('')}`;
  const ending = ENDING.exec(name)?.[0] ?? '';
  const isNumber = /^\d+$/.test(name.slice(0, name.length - ending.length));
  const alphabet = isNumber ? DIGITS : LETTERS;
  const unknown = Array.from(
    { length: UNKNOWN_CHARS },
    () => alphabet[Math.floor(random() * alphabet.length)],
  );
  return {
    key: `${folder} ${isNumber ? '0' : 'a'}${ending}${slash}`,
    unknownUrl: `${folder}${unknown.join('')}${ending}${slash}`,
  };
}

const UNKNOWN_CHARS = 15;
/** Without a leading zero, or vowels that could make a word. */
const DIGITS = '123456789';
const LETTERS = 'bcdfghjkmnpqrstvwxz';
