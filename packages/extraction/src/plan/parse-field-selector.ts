import { foldCase } from '../css/fold-case.ts';
import { parseSelector } from '../css/parse-selector.ts';
import type { SelectorList } from '../css/selector.ts';
import { SelectorError } from '../css/selector-error.ts';
import { type CssToken, type TokenizedCss, tokenize } from '../css/tokenize.ts';

/** A selector string taken apart: the CSS, what to take of a match (null: not said), and whether of every one. */
export interface FieldSelector {
  readonly list: SelectorList;
  readonly value: SuffixValue | null;
  readonly takesAll: boolean;
}

/** What a suffix can ask for. */
export type SuffixValue =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string };

/** Parses `<css>[::text | ::attr(<name>) | ::html][::all]`; throws a SelectorError that says what is wrong. */
export function parseFieldSelector(input: string): FieldSelector {
  refuseXPath(input);
  const { source, tokens } = tokenize(input);
  const split = startOfSuffix(tokens);
  const suffix = parseSuffix(source, tokens.slice(split));
  if (split > 0 || tokens.length === 0)
    return { list: parseSelector(before({ source, tokens }, split)), ...suffix };
  throw new SelectorError(
    'There is no selector before the suffix; the element of a record itself is ":scope".',
  );
}

function refuseXPath(input: string): void {
  if (/^\s*(?:\.?\/\/?|\(\s*\/\/)/.test(input) && !input.trimStart().startsWith('/*')) {
    throw new SelectorError(
      'This looks like XPath: write CSS, such as "div.price > span" for //div[@class="price"]/span.',
    );
  }
}

/** The index of the first `::` outside of brackets, or the count of tokens. */
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
      throw new SelectorError('A suffix stands once, at the end of the whole list: "h1, h2::text".');
    }
    if (colon?.type !== 'colon' || second?.type !== 'colon') {
      throw new SelectorError(`Nothing can follow a suffix but ::all, and "${sourceOf(source, rest)}" does.`);
    }
    if (takesAll) throw new SelectorError('::all stands once, and last.');
    const suffix = readSuffix(source, name, more);
    if (suffix.value === null) takesAll = true;
    else if (value) throw new SelectorError('Only one of ::text, ::attr(…) and ::html can be given.');
    else value = suffix.value;
    rest = suffix.rest;
  }
  return { value, takesAll };
}

interface Suffix {
  /** null for ::all. */
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
  if (!only) throw new SelectorError('::attr() needs the name of an attribute: ::attr(href).');
  const isString = inner.length === 1 && only.type === 'string';
  const name = isString
    ? only.value
    : inner
        .map((token) => (token.type === 'ident' ? token.value : source.slice(token.start, token.end)))
        .join('');
  // What an HTML parser lets into an attribute's name.
  if (/^[^\s"'<>/=\0()]+$/.test(name)) return name;
  throw new SelectorError(`"${name}" is not the name of an attribute.`);
}

/** What people write who come from elsewhere, and the suffix that they mean. */
const MEANT: ReadonlyMap<string, string> = new Map([
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
  if (!written) return new SelectorError('After "::" there has to be text, attr(name), html or all.');
  const lower = foldCase(written);
  const meant = MEANT.get(lower) ?? nearest(lower);
  const hint = meant ? ` Did you mean ${meant}?` : '';
  return new SelectorError(
    `There is no suffix ::${written}; there are ::text, ::attr(name), ::html and ::all.${hint}`,
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
