import { foldCase } from './code-points.ts';
import { parseAttribute, parseName } from './parse-attribute.ts';
import { type Grammar, type ParseContext, parsePseudo } from './parse-pseudo.ts';
import {
  type Combinator,
  type ComplexSelector,
  type CompoundSelector,
  type RelativeSelector,
  SelectorError,
  type SelectorList,
  type SimpleSelector,
} from './selector.ts';
import { TokenStream } from './token-stream.ts';
import { type TokenizedCss, tokenize } from './tokenize.ts';

/**
 * Parses a selector list. Accepts exactly what Chromium's `querySelector` accepts (Selectors 4, CSS Syntax 3), and throws
 * a SelectorError that explains the problem for everything else.
 */
export function parseSelector(css: TokenizedCss | string): SelectorList {
  const stream = new TokenStream(typeof css === 'string' ? tokenize(css) : css);
  stream.skipWhitespace();
  if (!stream.peek()) throw new SelectorError('The selector is empty.');
  const list = parseComplexList(stream, {
    depth: 0,
    forbidsHas: false,
    forbidsPseudoElements: false,
    grammar: GRAMMAR,
  });
  if (stream.peek()) throw new SelectorError(`${stream.describe()} is not expected here.`);
  return list;
}

/** Parses one or more complex selectors separated by commas; each must be valid. */
function parseComplexList(stream: TokenStream, context: ParseContext): SelectorList {
  const list = [parseComplex(stream, context)];
  while (stream.take('comma')) {
    stream.skipWhitespace();
    list.push(parseComplex(stream, context));
  }
  return list;
}

/** Parses the argument of `:is()` and `:where()`, dropping invalid selectors. Selectors 4 §18.1. */
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

/** Parses the argument of `:-webkit-any()` and `:host()`. */
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

/** Parses the argument of `:has()`, in which every selector must be valid. */
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
  for (let combinator = parseCombinator(stream); combinator; combinator = parseCombinator(stream)) {
    const compound = parseCompound(stream, context);
    if (!compound) {
      if (combinator === ' ') break;
      throw new SelectorError(`A selector is expected after "${combinator}", not ${stream.describe()}.`);
    }
    if (compounds.at(-1)?.some(isPseudoElement))
      throw new SelectorError('Nothing can follow a pseudo-element.');
    combinators.push(combinator);
    compounds.push(compound);
  }
  return { compounds, combinators };
}

/** Parses a combinator, or returns null where none begins. */
function parseCombinator(stream: TokenStream): Combinator | null {
  const isSpaced = stream.skipWhitespace();
  const delimiter = stream.peek();
  if (delimiter?.type !== 'delim' || !'>+~'.includes(delimiter.value)) return isSpaced ? ' ' : null;
  stream.next();
  stream.skipWhitespace();
  return delimiter.value as Combinator;
}

/** Parses the conditions on one element, or returns null where none begins. */
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
      throw new SelectorError(`"#${token.value}" is not a valid id: escape its first character.`);
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
  if (!name) throw new SelectorError(`A class name is expected after ".", not ${stream.describe()}.`);
  return { kind: 'class', value: name.value };
}

function isPseudoElement(simple: SimpleSelector): boolean {
  return simple.kind === 'state' && simple.name.startsWith('::');
}

function missingCompound(stream: TokenStream): string {
  if (!stream.peek()) return 'A selector is missing at the end of the list or of the parentheses.';
  if (stream.isAt('comma')) return 'A selector is missing before ",".';
  if (stream.isAt('delim', '#')) return 'An id is expected after "#".';
  return `A selector cannot begin with ${stream.describe()}.`;
}
