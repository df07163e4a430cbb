import { foldCase } from './code-points.ts';
import { hintForPseudo, isLegacyPseudoElement, isStateName, STRUCTURE } from './pseudo-classes.ts';
import {
  type CompoundSelector,
  type NthSelector,
  type RelativeSelector,
  SelectorError,
  type SelectorList,
  type SimpleSelector,
} from './selector.ts';
import type { TokenStream } from './token-stream.ts';

/** Context of a selector, with the constraints on its syntax. */
export interface ParseContext {
  /** Number of open parentheses around it. */
  readonly depth: number;
  /** True inside :has(), which does not nest, and where only compounds are allowed. */
  readonly forbidsHas: boolean;
  /** True inside an argument, where pseudo-elements are not allowed. */
  readonly forbidsPseudoElements: boolean;
  /** Parsers for the selectors inside pseudo-classes. */
  readonly grammar: Grammar;
}

/** Parsers of Selectors 4 productions that are arguments of pseudo-classes. */
export interface Grammar {
  /** One or more selectors; each must be valid. */
  readonly complexList: (stream: TokenStream, context: ParseContext) => SelectorList;
  /** Selectors of which invalid ones are dropped. */
  readonly forgivingList: (stream: TokenStream, context: ParseContext) => SelectorList;
  /** One or more selectors without combinators. */
  readonly compoundList: (stream: TokenStream, context: ParseContext) => readonly CompoundSelector[];
  /** One or more selectors that begin with a combinator; descendant by default. */
  readonly relativeList: (stream: TokenStream, context: ParseContext) => readonly RelativeSelector[];
}

/** Maximum depth of nested parentheses. Browsers have no such limit; real selectors stay far below it. */
const MAX_DEPTH = 64;

/** Parses a pseudo-class from its colon on, or one of CSS 2's four pseudo-elements, which match nothing. */
export function parsePseudo(stream: TokenStream, context: ParseContext): SimpleSelector {
  stream.next();
  if (stream.take('colon')) throw pseudoElement(stream);
  const token = stream.peek();
  const name = foldCase(token?.value ?? '');
  if (token?.type === 'function') {
    return stream.inBlock(() => {
      stream.skipWhitespace();
      const simple = parseFunction(stream, name, deeper(context));
      stream.skipWhitespace();
      if (stream.peek()) throw new SelectorError(`${stream.describe()} is not expected in :${name}().`);
      return simple;
    });
  }
  if (token?.type !== 'ident') {
    throw new SelectorError(`A name is expected after ":", not ${stream.describe()}.`);
  }
  stream.next();
  return parsePlain(name, context);
}

function deeper(context: ParseContext): ParseContext {
  if (context.depth < MAX_DEPTH) return { ...context, depth: context.depth + 1 };
  throw new SelectorError(`Parentheses are nested deeper than ${MAX_DEPTH} levels.`, { isFatal: true });
}

function parsePlain(name: string, context: ParseContext): SimpleSelector {
  const structure = STRUCTURE.get(name);
  if (structure) return structure;
  if (isLegacyPseudoElement(name)) {
    if (!context.forbidsPseudoElements) return { kind: 'state', name: `::${name}` };
    throw new SelectorError(`The pseudo-element :${name} is not allowed here.`);
  }
  if (isStateName(name)) return { kind: 'state', name };
  throw new SelectorError(hintForPseudo(name));
}

type FunctionParser = (stream: TokenStream, context: ParseContext) => SimpleSelector;

const FUNCTIONS: Readonly<Record<string, FunctionParser>> = {
  is: (stream, context) => ({ kind: 'is', list: context.grammar.forgivingList(stream, plain(context)) }),
  where: (stream, context) => ({ kind: 'is', list: context.grammar.forgivingList(stream, plain(context)) }),
  not: (stream, context) => ({ kind: 'not', list: context.grammar.complexList(stream, plain(context)) }),
  has: parseHas,
  '-webkit-any': (stream, context) => parseAny(stream, context),
  host: parseHost,
  'host-context': parseHost,
  'nth-child': (stream, context) => parsePosition(stream, context, { counts: 'child', isFromEnd: false }),
  'nth-last-child': (stream, context) => parsePosition(stream, context, { counts: 'child', isFromEnd: true }),
  'nth-of-type': (stream, context) => parsePosition(stream, context, { counts: 'type', isFromEnd: false }),
  'nth-last-of-type': (stream, context) =>
    parsePosition(stream, context, { counts: 'type', isFromEnd: true }),
  lang: (stream) => ({ kind: 'lang', value: foldCase(parseIdent(stream, 'lang')) }),
  dir: (stream) => ({ kind: 'dir', value: foldCase(parseIdent(stream, 'dir')) }),
  state: parseState,
  'active-view-transition-type': parseIdents,
};

function parseFunction(stream: TokenStream, name: string, context: ParseContext): SimpleSelector {
  const parse = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!parse) throw new SelectorError(hintForPseudo(name));
  return parse(stream, context);
}

function plain(context: ParseContext): ParseContext {
  return { ...context, forbidsPseudoElements: true };
}

function withoutHas(context: ParseContext): ParseContext {
  return { ...plain(context), forbidsHas: true };
}

function parseHas(stream: TokenStream, context: ParseContext): SimpleSelector {
  if (context.forbidsHas)
    throw new SelectorError(':has() is not allowed inside :has(), :host() or :-webkit-any().');
  return { kind: 'has', list: context.grammar.relativeList(stream, withoutHas(context)) };
}

function parseAny(stream: TokenStream, context: ParseContext): SimpleSelector {
  const compounds = context.grammar.compoundList(stream, withoutHas(context));
  return { kind: 'is', list: compounds.map((compound) => ({ compounds: [compound], combinators: [] })) };
}

/** Parses `:host(…)`, which matches only in shadow trees; a parsed page has none. */
function parseHost(stream: TokenStream, context: ParseContext): SimpleSelector {
  const list = context.grammar.compoundList(stream, withoutHas(context));
  if (list.length !== 1) throw new SelectorError(':host() takes exactly one selector.');
  return { kind: 'never' };
}

function parsePosition(
  stream: TokenStream,
  context: ParseContext,
  family: Pick<NthSelector, 'counts' | 'isFromEnd'>,
): SimpleSelector {
  const formula = parseNth(stream);
  stream.skipWhitespace();
  let of: SelectorList | null = null;
  if (family.counts === 'child' && stream.take('ident', 'of')) {
    stream.skipWhitespace();
    of = context.grammar.complexList(stream, context);
  }
  return { kind: 'nth', ...formula, ...family, of };
}

function parseIdent(stream: TokenStream, name: string): string {
  const ident = stream.take('ident');
  if (!ident) throw new SelectorError(`:${name}() takes one name without quotes, not ${stream.describe()}.`);
  return ident.value;
}

/** Parses `:state(…)`, which matches nothing: custom states are set by scripts. */
function parseState(stream: TokenStream): SimpleSelector {
  parseIdent(stream, 'state');
  return { kind: 'never' };
}

function parseIdents(stream: TokenStream): SimpleSelector {
  do {
    stream.skipWhitespace();
    parseIdent(stream, 'active-view-transition-type');
    stream.skipWhitespace();
  } while (stream.take('comma'));
  return { kind: 'never' };
}

function pseudoElement(stream: TokenStream): SelectorError {
  return new SelectorError(
    `The pseudo-element ::${stream.peek()?.value ?? ''} cannot be selected in a document.`,
  );
}

/** The formula `An+B`: the positions `step × n + offset` for n ≥ 0. */
interface NthFormula {
  readonly step: number;
  readonly offset: number;
}

/** Parses the An+B microsyntax. CSS Syntax 3 §6. */
function parseNth(stream: TokenStream): NthFormula {
  const token = stream.next();
  if (token?.type === 'number' && token.isInteger) return { step: 0, offset: clamp(token.number) };
  if (token?.type === 'ident' && foldCase(token.value) === 'odd') return { step: 2, offset: 1 };
  if (token?.type === 'ident' && foldCase(token.value) === 'even') return { step: 2, offset: 0 };
  if (token?.type === 'dimension' && token.isInteger)
    return afterStep(stream, clamp(token.number), token.value);
  if (token?.type === 'ident' && token.value.startsWith('-'))
    return afterStep(stream, -1, token.value.slice(1));
  if (token?.type === 'ident') return afterStep(stream, 1, token.value);
  if (token?.type === 'delim' && token.value === '+' && stream.isAt('ident')) {
    return afterStep(stream, 1, stream.next()?.value ?? '');
  }
  throw notNth();
}

/** Parses the rest of a formula; `unit` is the part of its token from the n on: `n`, `n-` or `n-3`. */
function afterStep(stream: TokenStream, step: number, unit: string): NthFormula {
  stream.skipWhitespace();
  const parts = /^n(?:(-)([0-9]+)?)?$/i.exec(unit);
  if (!parts) throw notNth();
  const [, minus, digits] = parts;
  if (digits) return { step, offset: -clamp(Number(digits)) };
  return { step, offset: minus ? -unsigned(stream) : parseOffset(stream) };
}

function parseOffset(stream: TokenStream): number {
  const sign = stream.take('delim', '+') ?? stream.take('delim', '-');
  if (sign) {
    stream.skipWhitespace();
    return sign.value === '-' ? -unsigned(stream) : unsigned(stream);
  }
  if (!stream.isAt('number')) return 0;
  const number = stream.next();
  if (!number?.isInteger || !number.isSigned) throw notNth();
  return clamp(number.number);
}

function unsigned(stream: TokenStream): number {
  const number = stream.take('number');
  if (!number?.isInteger || number.isSigned) throw notNth();
  return clamp(number.number);
}

/** Limits a number to 32 bits, in which browsers store positions. */
function clamp(value = 0): number {
  return Math.max(-0x8000_0000, Math.min(0x7fff_ffff, value));
}

function notNth(): SelectorError {
  return new SelectorError('A position must be a number, odd, even, or a formula such as 2n+1.');
}
