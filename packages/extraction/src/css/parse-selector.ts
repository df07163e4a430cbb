import { foldCase } from './fold-case.ts';
import { parseAttribute } from './parse-attribute.ts';
import type { Grammar, ParseContext } from './parse-context.ts';
import { parseName } from './parse-name.ts';
import { parsePseudo } from './parse-pseudo.ts';
import type {
  Combinator,
  ComplexSelector,
  CompoundSelector,
  RelativeSelector,
  SelectorList,
  SimpleSelector,
} from './selector.ts';
import { SelectorError } from './selector-error.ts';
import { TokenStream } from './token-stream.ts';
import { type TokenizedCss, tokenize } from './tokenize.ts';

/**
 * Parses a selector list exactly where Chromium's `querySelector` does (Selectors 4, CSS Syntax 3);
 * throws a SelectorError that says what is wrong where it throws.
 */
export function parseSelector(css: TokenizedCss | string): SelectorList {
  const stream = new TokenStream(typeof css === 'string' ? tokenize(css) : css);
  stream.skipWhitespace();
  if (!stream.peek()) throw new SelectorError('The selector is empty.');
  const list = parseComplexList(stream, {
    depth: 0,
    refusesHas: false,
    refusesPseudoElements: false,
    grammar: GRAMMAR,
  });
  if (stream.peek()) throw new SelectorError(`${stream.describe()} is not expected here.`);
  return list;
}

/** One or more complex selectors with commas between them; each has to parse. */
function parseComplexList(stream: TokenStream, context: ParseContext): SelectorList {
  const list = [parseComplex(stream, context)];
  while (stream.take('comma')) {
    stream.skipWhitespace();
    list.push(parseComplex(stream, context));
  }
  return list;
}

/** The selectors of `:is()` and `:where()`: those that do not parse are dropped. Selectors 4 §18.1. */
function parseForgivingList(stream: TokenStream, context: ParseContext): SelectorList {
  const list: ComplexSelector[] = [];
  while (stream.peek()) {
    const complex = parseOrSkip(stream, context);
    if (complex) list.push(complex);
    if (!stream.take('comma')) break;
    stream.skipWhitespace();
  }
  return list;
}

/** The argument of `:-webkit-any()` and `:host()`. */
function parseCompoundList(stream: TokenStream, context: ParseContext): readonly CompoundSelector[] {
  const list: CompoundSelector[] = [];
  do {
    stream.skipWhitespace();
    const compound = parseCompound(stream, context);
    if (!compound) throw new SelectorError(missingCompound(stream));
    list.push(compound);
    stream.skipWhitespace();
  } while (stream.take('comma'));
  return list;
}

/** The argument of `:has()`; it does not forgive. */
function parseRelativeList(stream: TokenStream, context: ParseContext): readonly RelativeSelector[] {
  const list: RelativeSelector[] = [];
  do {
    stream.skipWhitespace();
    const anchor = parseCombinator(stream) ?? ' ';
    list.push({ anchor, ...parseComplex(stream, context) });
  } while (stream.take('comma'));
  return list;
}

const GRAMMAR: Grammar = {
  complexList: parseComplexList,
  forgivingList: parseForgivingList,
  compoundList: parseCompoundList,
  relativeList: parseRelativeList,
};

function parseOrSkip(stream: TokenStream, context: ParseContext): ComplexSelector | undefined {
  try {
    return stream.attempt(() => {
      const complex = parseComplex(stream, context);
      const isWhole = !stream.peek() || stream.isAt('comma') || stream.isAt('open', '{');
      if (!isWhole) throw new SelectorError(`${stream.describe()} is not expected here.`);
      return complex;
    });
  } catch (error) {
    if (!(error instanceof SelectorError) || error.isFatal) throw error;
    stream.skipToComma();
    return undefined;
  }
}

function parseComplex(stream: TokenStream, context: ParseContext): ComplexSelector {
  const first = parseCompound(stream, context);
  if (!first) throw new SelectorError(missingCompound(stream));
  const compounds = [first];
  const combinators: Combinator[] = [];
  for (let link = parseCombinator(stream); link; link = parseCombinator(stream)) {
    const compound = parseCompound(stream, context);
    if (!compound) {
      if (link === ' ') break;
      throw new SelectorError(`There has to be a selector after "${link}", not ${stream.describe()}.`);
    }
    if (compounds.at(-1)?.some(isPseudoElement))
      throw new SelectorError('Nothing can follow a pseudo-element.');
    combinators.push(link);
    compounds.push(compound);
  }
  return { compounds, combinators };
}

/** The combinator at this place, or null. */
function parseCombinator(stream: TokenStream): Combinator | null {
  const isSpaced = stream.skipWhitespace();
  const delimiter = stream.peek();
  if (delimiter?.type !== 'delim' || !'>+~'.includes(delimiter.value)) return isSpaced ? ' ' : null;
  stream.next();
  stream.skipWhitespace();
  return delimiter.value as Combinator;
}

/** The conditions on one element, or null where none begins. */
function parseCompound(stream: TokenStream, context: ParseContext): CompoundSelector | null {
  const simples: SimpleSelector[] = [];
  const name = parseName(stream);
  if (name) {
    if (name.namespace === '') simples.push({ kind: 'unnamespaced' });
    if (name.isUniversal) simples.push({ kind: 'universal' });
    else simples.push({ kind: 'type', name: foldCase(name.local), exactName: name.local });
  }
  let isAtPseudoElement = false;
  for (;;) {
    const mayFollow = !isAtPseudoElement || ['is', 'where'].includes(stream.peek(1)?.value ?? '');
    const simple = parseSimple(stream, context);
    if (!simple) break;
    if (!mayFollow) throw new SelectorError('Nothing can follow a pseudo-element.');
    isAtPseudoElement ||= isPseudoElement(simple);
    simples.push(simple);
  }
  return simples.length > 0 ? simples : null;
}

function parseSimple(stream: TokenStream, context: ParseContext): SimpleSelector | null {
  const token = stream.peek();
  if (token?.type === 'hash') {
    if (!token.isIdentifier)
      throw new SelectorError(`"#${token.value}" is no id: escape its first character.`);
    stream.next();
    return { kind: 'id', value: token.value };
  }
  if (token?.type === 'delim' && token.value === '.') return parseClass(stream);
  if (token?.type === 'open' && token.value === '[') return stream.inBlock(() => parseAttribute(stream));
  if (token?.type === 'colon') return parsePseudo(stream, context);
  if (token?.type === 'delim' && token.value === '&') {
    stream.next();
    return { kind: 'scope' };
  }
  return null;
}

function parseClass(stream: TokenStream): SimpleSelector {
  stream.next();
  const name = stream.take('ident');
  if (!name) throw new SelectorError(`There has to be a class name after ".", not ${stream.describe()}.`);
  return { kind: 'class', value: name.value };
}

function isPseudoElement(simple: SimpleSelector): boolean {
  return simple.kind === 'state' && simple.name.startsWith('::');
}

function missingCompound(stream: TokenStream): string {
  if (!stream.peek()) return 'A selector is missing at the end of the list, or of the parentheses.';
  if (stream.isAt('comma')) return 'A selector is missing before ",".';
  if (stream.isAt('delim', '#')) return 'There has to be an id after "#".';
  return `A selector cannot begin with ${stream.describe()}.`;
}
