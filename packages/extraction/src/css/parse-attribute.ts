import { foldCase } from './fold-case.ts';
import { parseName } from './parse-name.ts';
import type { AttributeOperator, AttributeSelector } from './selector.ts';
import { SelectorError } from './selector-error.ts';
import type { TokenStream } from './token-stream.ts';

/** Reads what stands between `[` and `]`. Selectors 4 §6. */
export function parseAttribute(stream: TokenStream): AttributeSelector {
  stream.skipWhitespace();
  const name = parseName(stream);
  if (!name || name.isUniversal) throw new SelectorError('There has to be an attribute name after "[".');
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
      `The value in [${name.local}…] has to be in quotes: ${stream.describe()} is no name.`,
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
    throw new SelectorError(`${stream.describe()} is no comparison: use =, ~=, |=, ^=, $= or *=.`);
  }
  return operator.value as AttributeOperator;
}

function parseFlag(stream: TokenStream): boolean {
  const flag = stream.take('ident');
  stream.skipWhitespace();
  if (!flag) return false;
  if (foldCase(flag.value) === 'i') return true;
  throw new SelectorError(`"${flag.value}" is no flag: only i (ignore case) can follow the value.`);
}
