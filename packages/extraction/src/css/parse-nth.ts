import { foldCase } from './code-points.ts';
import { SelectorError } from './selector.ts';
import type { TokenStream } from './token-stream.ts';

/** The formula `An+B`: the positions `step × n + offset` for n ≥ 0. */
export interface NthFormula {
  readonly step: number;
  readonly offset: number;
}

/** Parses the An+B microsyntax. CSS Syntax 3 §6. */
export function parseNth(stream: TokenStream): NthFormula {
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
