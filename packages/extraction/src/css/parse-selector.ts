import { foldCase } from './code-points.ts';
import { type Grammar, type ParseContext, parsePseudo } from './parse-pseudo.ts';
import {
  type AttributeOperator,
  type AttributeSelector,
  type Combinator,
  type ComplexSelector,
  type CompoundSelector,
  type RelativeSelector,
  SelectorError,
  type SelectorList,
  type SimpleSelector,
} from './selector.ts';
import { TokenStream } from './token-stream.ts';
import { type CssToken, type TokenizedCss, tokenize } from './tokenize.ts';

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

/** Parses the inside of `[…]`. Selectors 4 §6. */
function parseAttribute(stream: TokenStream): AttributeSelector {
  stream.skipWhitespace();
  const name = parseName(stream);
  if (!name || name.isUniversal) throw new SelectorError('An attribute name is expected after "[".');
  stream.skipWhitespace();
  const selector = {
    kind: 'attribute' as const,
    name: foldCase(name.local),
    exactName: name.local,
    isAnyNamespace: name.namespace === '*',
  };
  if (!stream.peek()) return { ...selector, operator: null, value: '', ignoresCase: false };
  const operator = parseOperator(stream);
  stream.skipWhitespace();
  const value = stream.take('ident') ?? stream.take('string');
  if (!value) {
    throw new SelectorError(
      `The value in [${name.local}…] must be in quotes: ${stream.describe()} is not a valid name.`,
    );
  }
  stream.skipWhitespace();
  const ignoresCase = parseFlag(stream);
  if (stream.peek()) throw new SelectorError(`${stream.describe()} is not expected in [${name.local}…].`);
  return { ...selector, operator, value: value.value, ignoresCase };
}

function parseOperator(stream: TokenStream): AttributeOperator {
  const operator = stream.take('match') ?? stream.take('delim', '=');
  if (!operator) {
    throw new SelectorError(
      `${stream.describe()} is not a comparison operator: use =, ~=, |=, ^=, $= or *=.`,
    );
  }
  return operator.value as AttributeOperator;
}

function parseFlag(stream: TokenStream): boolean {
  const flag = stream.take('ident');
  stream.skipWhitespace();
  if (!flag) return false;
  if (foldCase(flag.value) === 'i') return true;
  throw new SelectorError(`"${flag.value}" is not a valid flag: only i (ignore case) can follow the value.`);
}

interface QualifiedName {
  /** Undefined without a prefix, '' for `|name`, '*' for any namespace. */
  readonly namespace: '' | '*' | undefined;
  readonly local: string;
  /** True for a bare asterisk, which matches every name. */
  readonly isUniversal: boolean;
}

/** Parses `name`, `*`, `|name` or `*|name`, or returns null where no name begins; rejects other prefixes. */
function parseName(stream: TokenStream): QualifiedName | null {
  const first = stream.isAt('ident') || stream.isAt('delim', '*') ? stream.next() : undefined;
  if (!stream.isAt('delim', '|')) return first ? toName(undefined, first) : null;
  stream.next();
  const local = stream.isAt('ident') || stream.isAt('delim', '*') ? stream.next() : undefined;
  if (!local) throw new SelectorError(`A name is expected after "|", not ${stream.describe()}.`);
  // Chromium treats an escaped asterisk as a bare one.
  if (first && first.value !== '*') {
    throw new SelectorError(
      `The namespace "${first.value}" is not declared: write "*|${local.value}" for any namespace.`,
    );
  }
  return toName(first ? '*' : '', local);
}

function toName(namespace: QualifiedName['namespace'], { type, value }: CssToken): QualifiedName {
  return { namespace, local: value, isUniversal: type === 'delim' };
}
