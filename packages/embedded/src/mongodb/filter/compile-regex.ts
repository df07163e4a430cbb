import { BSONRegExp } from 'bson';
import { locationError } from '../errors/command-error.ts';

/** Makes a test for strings from a PCRE pattern with MongoDB's options `imsxu`. Throws 51091 for an invalid pattern. */
export function compileRegex(value: unknown): RegExp {
  if (value instanceof RegExp) return new RegExp(value.source, value.flags.replace(/[gy]/g, ''));
  const { pattern, options } = value instanceof BSONRegExp ? value : { pattern: String(value), options: '' };
  const inline = /^\(\?([imsx]+)\)/.exec(pattern);
  const letters = options + (inline?.[1] ?? '');
  const source = pattern.slice(inline?.[0].length ?? 0);
  try {
    return new RegExp(letters.includes('x') ? withoutComments(source) : source, flagsOf(letters));
  } catch (error) {
    throw locationError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

function flagsOf(letters: string): string {
  return [...new Set(letters)].filter((letter) => 'ims'.includes(letter)).join('');
}

/** The extended syntax: white space and comments outside of classes do not count. A class that is left open ends the source. */
function withoutComments(source: string): string {
  return source.replace(/(\\.|\[(?:\\.|[^\]\\])*\]?)|\s+|#[^\n]*/gs, (_, kept?: string) => kept ?? '');
}
