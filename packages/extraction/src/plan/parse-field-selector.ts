import { foldCase } from '../css/code-points.ts';
import { parseSelector } from '../css/parse-selector.ts';
import { SelectorError, type SelectorList } from '../css/selector.ts';
import { type CssToken, type TokenizedCss, tokenize } from '../css/tokenize.ts';

/** Parts of a selector string: the CSS, the value to take (null if not given), and whether to take all matches. */
export interface FieldSelector {
  readonly list: SelectorList;
  readonly value: SuffixValue | null;
  readonly takesAll: boolean;
}

/** Value that a suffix asks for. */
export type SuffixValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string };

/** Parses `<css>[::text | ::attr(<name>) | ::html][::all]`; throws a SelectorError that explains the problem. */
export function parseFieldSelector(input: string): FieldSelector {
  rejectXPath(input);
  rejectAtAttribute(input);
  const { source, tokens } = tokenize(input);
  const split = startOfSuffix(tokens);
  const suffix = parseSuffix(source, tokens.slice(split));
  if (split > 0 || tokens.length === 0)
    return { list: parseSelector(before({ source, tokens }, split)), ...suffix };
  throw new SelectorError(
    'A selector is missing before the suffix; use ":scope" for the element of a record itself.',
  );
}

function rejectXPath(input: string): void {
  if (/^\s*(?:\.?\/\/?|\(\s*\/\/)/.test(input) && !input.trimStart().startsWith('/*')) {
    throw new SelectorError(
      'This looks like XPath: write CSS, such as "div.price > span" for //div[@class="price"]/span.',
    );
  }
}

/** Rejects `a@href`, which other tools use for `a::attr(href)`; selectors have no `@` outside of strings and brackets. */
function rejectAtAttribute(input: string): void {
  const [, css, name, suffix = ''] =
    /^([^@"'[\](){}\\]+)@([\w-]+(?::[\w-]+)?)\s*(?:(::all)\s*)?$/.exec(input) ?? [];
  if (css === undefined || name === undefined) return;
  throw new SelectorError(
    `"@${name}" is not CSS: write "${css.trim()}::attr(${name})${suffix}" to get an attribute.`,
  );
}

/** Returns the index of the first `::` outside of brackets, or the number of tokens. */
function startOfSuffix(tokens: readonly CssToken[]): number {
  let index = 0;
  while (index < tokens.length) {
    const token = tokens[index] as CssToken;
    if (token.type === 'colon' && tokens[index + 1]?.type === 'colon') return index;
    index = (token.close ?? index) + 1;
  }
  return tokens.length;
}

function before({ source, tokens }: TokenizedCss, split: number): TokenizedCss {
  return { source, tokens: tokens.slice(0, split) };
}

function parseSuffix(source: string, tokens: readonly CssToken[]): Pick<FieldSelector, 'value' | 'takesAll'> {
  let value: SuffixValue | null = null;
  let takesAll = false;
  let rest = withoutTrailingSpace(tokens);
  while (rest.length > 0) {
    const [colon, second, name, ...more] = rest;
    if (colon?.type === 'comma') {
      throw new SelectorError('Write the suffix once, at the end of the whole list: "h1, h2::text".');
    }
    if (colon?.type !== 'colon' || second?.type !== 'colon') {
      throw new SelectorError(`Only ::all can follow a suffix, not "${sourceOf(source, rest)}".`);
    }
    if (takesAll) throw new SelectorError('::all can be given once, as the last suffix.');
    const suffix = readSuffix(source, name, more);
    if (suffix.value === null) takesAll = true;
    else if (value) throw new SelectorError('Only one of ::text, ::attr(…) and ::html can be given.');
    else value = suffix.value;
    rest = suffix.rest;
  }
  return { value, takesAll };
}

interface Suffix {
  /** Null for ::all. */
  readonly value: SuffixValue | null;
  readonly rest: readonly CssToken[];
}

function readSuffix(source: string, name: CssToken | undefined, rest: readonly CssToken[]): Suffix {
  const suffix = foldCase(name?.value ?? '');
  if (name?.type === 'function' && suffix === 'attr') {
    const close = rest.findIndex(({ type, value }) => type === 'shut' && value === ')');
    if (close < 0) throw new SelectorError('::attr(…) has no closing parenthesis.');
    const attribute = readAttributeName(source, rest.slice(0, close));
    return { value: { kind: 'attribute', name: attribute }, rest: rest.slice(close + 1) };
  }
  if (name?.type === 'ident') {
    if (suffix === 'text' || suffix === 'html') return { value: { kind: suffix }, rest };
    if (suffix === 'all') return { value: null, rest };
  }
  throw unknownSuffix(name);
}

function readAttributeName(source: string, tokens: readonly CssToken[]): string {
  const inner = withoutTrailingSpace(tokens[0]?.type === 'whitespace' ? tokens.slice(1) : tokens);
  const [only] = inner;
  if (!only) throw new SelectorError('::attr() needs the name of an attribute, such as ::attr(href).');
  const isString = inner.length === 1 && only.type === 'string';
  const name = isString
    ? only.value
    : inner
        .map((token) => (token.type === 'ident' ? token.value : source.slice(token.start, token.end)))
        .join('');
  // The characters that an HTML parser accepts in an attribute name.
  if (/^[^\s"'<>/=\0()]+$/.test(name)) return name;
  throw new SelectorError(`"${name}" is not a valid attribute name.`);
}

/** Names from other tools, and the suffix to suggest for each. */
const SUGGESTIONS: ReadonlyMap<string, string> = new Map([
  ['txt', '::text'],
  ['textcontent', '::text'],
  ['innertext', '::text'],
  ['string', '::text'],
  ['href', '::attr(href)'],
  ['src', '::attr(src)'],
  ['attribute', '::attr(name)'],
  ['attrib', '::attr(name)'],
  ['attr', '::attr(name)'],
  ['attrs', '::attr(name)'],
  ['outerhtml', '::html'],
  ['innerhtml', '::html'],
  ['list', '::all'],
  ['every', '::all'],
  ['array', '::all'],
]);

function unknownSuffix(name: CssToken | undefined): SelectorError {
  const written = name?.type === 'ident' || name?.type === 'function' ? name.value : '';
  if (!written) return new SelectorError('text, attr(name), html or all is expected after "::".');
  const lower = foldCase(written);
  const suggestion = SUGGESTIONS.get(lower) ?? nearest(lower);
  const hint = suggestion ? ` Did you mean ${suggestion}?` : '';
  return new SelectorError(
    `The suffix ::${written} does not exist: use ::text, ::attr(name), ::html or ::all.${hint}`,
  );
}

function nearest(written: string): string | undefined {
  if (/^te?x?t/.test(written)) return '::text';
  if (/^at+r?/.test(written)) return '::attr(name)';
  if (/^ht?m/.test(written)) return '::html';
  return /^all?/.test(written) ? '::all' : undefined;
}

function withoutTrailingSpace(tokens: readonly CssToken[]): readonly CssToken[] {
  return tokens.at(-1)?.type === 'whitespace' ? tokens.slice(0, -1) : tokens;
}

function sourceOf(source: string, tokens: readonly CssToken[]): string {
  return source.slice(tokens[0]?.start, tokens.at(-1)?.end);
}

/** Explains in a sentence why `document.querySelector` would reject the selector; undefined if it is valid. */
export function findSelectorError(selector: string): string | undefined {
  try {
    const { value, takesAll } = parseFieldSelector(selector);
    if (value === null && !takesAll) return undefined;
    return 'Only an element is needed here: leave out ::text, ::attr(name), ::html and ::all.';
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
}

/** Splits a selector that parses into its CSS and its suffix, such as `::attr(href)::all`; the suffix is empty if it has none. */
export function splitFieldSelector(input: string): { readonly css: string; readonly suffix: string } {
  const { source, tokens } = tokenize(input);
  const at = tokens[startOfSuffix(tokens)]?.start ?? source.length;
  return { css: source.slice(0, at).trim(), suffix: source.slice(at).trim() };
}
