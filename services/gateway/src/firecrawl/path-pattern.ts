/**
 * Translates a regular expression for paths into one for whole URLs: Firecrawl searches the path alone, without the
 * query. RE2 has no lookahead, so each alternative says by itself where in the URL it may begin.
 */
export function pathPattern(pattern: string): string {
  return alternativesOf(pattern).map(onPath).join('|');
}

const HOST = '^https?://[^/?#]+';

function onPath(alternative: string): string {
  const isAnchored = /^\^(?!\.\*)/.test(alternative);
  // A search that may begin anywhere begins at the first character that matters.
  const begun = alternative.replace(/^\^?(?:\.\*\??)*/, '');
  const isToEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(begun);
  const inner = `(?:${isToEnd ? begun.slice(0, -1) : begun})${isToEnd ? '(?:[?#]|$)' : ''}`;
  if (isAnchored) return HOST + inner;
  // Only the path has a slash: what begins with one cannot be found in the host.
  return `${HOST}${beginsWithSlash(begun) ? '' : '/'}[^?#]*?${inner}`;
}

function beginsWithSlash(alternative: string): boolean {
  if (/^\\?\//.test(alternative)) return true;
  const [opening] = /^\((?:\?:)?/.exec(alternative) ?? [];
  if (opening === undefined) return false;
  const end = endOfGroup(alternative);
  const isOptional = /^[*?{]/.test(alternative.slice(end + 1));
  return !isOptional && alternativesOf(alternative.slice(opening.length, end)).every(beginsWithSlash);
}

/** Returns the parts of a pattern between the bars that are in no group. */
function alternativesOf(pattern: string): string[] {
  const parts = [''];
  walk(pattern, (token, depth) => {
    if (token === '|' && depth === 0) parts.push('');
    else parts.push(parts.pop() + token);
    return true;
  });
  return parts;
}

/** Returns the index of the closing parenthesis of a pattern's first group. */
function endOfGroup(pattern: string): number {
  let end = 0;
  walk(pattern, (token, depth) => {
    end += token.length;
    return token !== ')' || depth > 0;
  });
  return end - 1;
}

/** Visits the tokens of a pattern, with the number of groups around each, until the visitor returns false. */
function walk(pattern: string, visit: (token: string, depth: number) => boolean): void {
  let depth = 0;
  for (let index = 0; index < pattern.length; ) {
    const end = pattern[index] === '[' ? endOfClass(pattern, index) : nextPlace(pattern, index);
    const token = pattern.slice(index, end);
    index = end;
    if (token === ')') depth -= 1;
    if (!visit(token, depth)) return;
    if (token === '(') depth += 1;
  }
}

/** Returns the index after a character class; a bracket at its start is literal. */
function endOfClass(pattern: string, start: number): number {
  let index = start + (pattern[start + 1] === '^' ? 2 : 1);
  if (pattern[index] === ']') index += 1;
  while (index < pattern.length && pattern[index] !== ']') index = nextPlace(pattern, index);
  return index + 1;
}

function nextPlace(pattern: string, index: number): number {
  return index + (pattern[index] === '\\' ? 2 : 1);
}
