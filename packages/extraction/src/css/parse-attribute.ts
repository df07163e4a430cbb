import { foldCase } from './code-points.ts';
import { type AttributeOperator, type AttributeSelector, SelectorError } from './selector.ts';
import type { TokenStream } from './token-stream.ts';
import type { CssToken } from './tokenize.ts';

/** Parses the inside of `[…]`. Selectors 4 §6. */
export function parseAttribute(stream: TokenStream): AttributeSelector {
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

/** A name and its namespace prefix. */
export interface QualifiedName {
  /** Undefined without a prefix, '' for `|name`, '*' for any namespace. */
  readonly namespace: '' | '*' | undefined;
  readonly local: string;
  /** True for a bare asterisk, which matches every name. */
  readonly isUniversal: boolean;
}

/** Parses `name`, `*`, `|name` or `*|name`, or returns null where no name begins; rejects other prefixes. */
export function parseName(stream: TokenStream): QualifiedName | null {
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
