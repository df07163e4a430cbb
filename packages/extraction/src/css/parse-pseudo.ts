import { foldCase } from './fold-case.ts';
import type { ParseContext } from './parse-context.ts';
import { parseNth } from './parse-nth.ts';
import { hintForPseudo, isLegacyPseudoElement, isStateName, STRUCTURE } from './pseudo-classes.ts';
import type { NthSelector, SelectorList, SimpleSelector } from './selector.ts';
import { SelectorError } from './selector-error.ts';
import type { TokenStream } from './token-stream.ts';

/** Parentheses inside parentheses, at most; a bound of ours, far above what pages need. */
const MAX_DEPTH = 64;

/** Reads a pseudo-class from its colon on. Pseudo-elements match nothing in a document: only CSS 2's four parse. */
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
    throw new SelectorError(`There has to be a name after ":", not ${stream.describe()}.`);
  }
  stream.next();
  return parsePlain(name, context);
}

function deeper(context: ParseContext): ParseContext {
  if (context.depth < MAX_DEPTH) return { ...context, depth: context.depth + 1 };
  throw new SelectorError(`Parentheses nest deeper than ${MAX_DEPTH} levels.`, { isFatal: true });
}

function parsePlain(name: string, context: ParseContext): SimpleSelector {
  const structure = STRUCTURE.get(name);
  if (structure) return structure;
  if (isLegacyPseudoElement(name)) {
    if (!context.refusesPseudoElements) return { kind: 'state', name: `::${name}` };
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
  return { ...context, refusesPseudoElements: true };
}

function withoutHas(context: ParseContext): ParseContext {
  return { ...plain(context), refusesHas: true };
}

function parseHas(stream: TokenStream, context: ParseContext): SimpleSelector {
  if (context.refusesHas)
    throw new SelectorError(':has() cannot stand inside :has(), :host() or :-webkit-any().');
  return { kind: 'has', list: context.grammar.relativeList(stream, withoutHas(context)) };
}

function parseAny(stream: TokenStream, context: ParseContext): SimpleSelector {
  const compounds = context.grammar.compoundList(stream, withoutHas(context));
  return { kind: 'is', list: compounds.map((compound) => ({ compounds: [compound], combinators: [] })) };
}

/** Matches in shadow trees alone, and a parsed page has none. */
function parseHost(stream: TokenStream, context: ParseContext): SimpleSelector {
  const list = context.grammar.compoundList(stream, withoutHas(context));
  if (list.length !== 1) throw new SelectorError(':host() takes one selector.');
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

/** Custom states are set by scripts. */
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
    `The pseudo-element ::${stream.peek()?.value ?? ''} selects nothing in a document.`,
  );
}
