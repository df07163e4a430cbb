import { SelectorError } from './selector-error.ts';
import type { TokenStream } from './token-stream.ts';
import type { CssToken } from './tokenize.ts';

/** A name with the namespace prefix before it: undefined when none is given, '' for `|name`, '*' for any. */
export interface QualifiedName {
  readonly namespace: '' | '*' | undefined;
  readonly local: string;
  /** Whether the name is a bare asterisk, which stands for every name. */
  readonly isUniversal: boolean;
}

/** Reads `name`, `*`, `|name`, `*|name`; null where none begins. A declared prefix needs a style sheet: refused. */
export function parseName(stream: TokenStream): QualifiedName | null {
  const first = stream.isAt('ident') || stream.isAt('delim', '*') ? stream.next() : undefined;
  if (!stream.isAt('delim', '|')) return first ? toName(undefined, first) : null;
  stream.next();
  const local = stream.isAt('ident') || stream.isAt('delim', '*') ? stream.next() : undefined;
  if (!local) throw new SelectorError(`There has to be a name after "|", not ${stream.describe()}.`);
  // Chromium takes an escaped asterisk for a bare one.
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
