import { RE2JS } from 're2js';

/** A glob, or a regular expression in RE2's syntax. */
export type UrlPattern = string | { readonly regex: string };

/** Returns true if the pattern matches the URL. */
export type UrlMatcher = (url: URL) => boolean;

/**
 * Compiles a pattern. A glob is compared with path and query, or with the whole URL if it begins with `http`, from the
 * first to the last character: `*` stands for any characters but `/`, `**` for any at all, and every other character for
 * itself. A regular expression is searched for in the whole URL. Both take time linear in the URL. Throws an Error for a
 * regular expression that RE2 rejects.
 */
export function compileUrlPattern(pattern: UrlPattern): UrlMatcher {
  if (typeof pattern !== 'string') {
    const regex = RE2JS.compile(pattern.regex);
    return ({ href }) => regex.matcher(href).find();
  }
  const regex = RE2JS.compile(globToRegex(pattern), RE2JS.DOTALL);
  const isWhole = /^https?:/i.test(pattern);
  return ({ href, hash, pathname, search }) => {
    const text = isWhole ? href.slice(0, href.length - hash.length) : pathname + search;
    return regex.matcher(text).matches();
  };
}

/** Explains why a pattern is not valid, or returns undefined. */
export function findUrlPatternError(pattern: UrlPattern): string | undefined {
  if (typeof pattern !== 'string') return findRegexError(pattern.regex);
  if (/^(?:\/|\*|https?:)/i.test(pattern)) return undefined;
  return `"${pattern}" matches no URL: begin with "/" to compare the path, with "**" for any path, or with "http".`;
}

function findRegexError(regex: string): string | undefined {
  try {
    RE2JS.compile(regex);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `"${regex}" is not a regular expression in RE2's syntax, which has no look-around and no backreferences: ${reason}.`;
  }
}

function globToRegex(glob: string): string {
  return glob.replace(/\*\*+|\*|[^*]+/g, (part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('*') ? '.*' : RE2JS.quote(part);
  });
}
