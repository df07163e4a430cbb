import { lowerBound } from '@gleaner/extraction';
import type { Page } from './page.ts';
import type { Token, TokenKind } from './tokens/token.ts';
import type { Orders, TokenIndex } from './tokens/token-index.ts';

/** Relation of a step to the next one. */
export type Combinator = ' ' | '>' | '+';

/** Conditions on one element of a path. */
export interface Step {
  readonly tokens: readonly Token[];
  /** Relation to the step before; null for the first. */
  readonly combinator: Combinator | null;
}

/** A complex selector: steps from left to right. */
export type Path = readonly Step[];

/** Weight against each relation. A child stops being one when the site adds a wrapper. */
export const COMBINATOR_PENALTIES: Readonly<Record<Combinator, number>> = { ' ': 1.5, '>': 2.5, '+': 4 };

/** Writes a path as CSS. */
export function cssOf(path: Path): string {
  return path
    .map(({ tokens, combinator }) => {
      const compound = compoundCss(tokens);
      if (combinator === null) return compound;
      return combinator === ' ' ? ` ${compound}` : ` ${combinator} ${compound}`;
    })
    .join('');
}

/** Order of conditions in a compound: the tag must come first, and pseudo-classes read best at the end. */
const RANKS: Partial<Record<TokenKind, number>> = { tag: 0, id: 1, class: 2, has: 4, except: 4, position: 5 };

function compoundCss(tokens: readonly Token[]): string {
  const rank = ({ kind }: Token): number => RANKS[kind] ?? 3;
  return [...tokens]
    .sort((left, right) => rank(left) - rank(right))
    .map(({ css }) => css)
    .join('');
}

/** Returns the sum of what speaks against the parts of a path. */
export function penaltyOf(path: Path): number {
  return path.reduce(
    (sum, { tokens, combinator }) =>
      sum +
      (combinator === null ? 0 : COMBINATOR_PENALTIES[combinator]) +
      tokens.reduce((own, { penalty }) => own + penalty, 0),
    0,
  );
}

/** Returns the kinds of the conditions of a path, to tell proposals of one sort from another. */
export function kindsOf(path: Path): string {
  return path.map(({ tokens }) => tokens.map(({ kind }) => kind).join('.')).join(' ');
}

/** Returns the elements that a path matches. All its conditions must be prepared in the index. */
export function matchPath(path: Path, index: TokenIndex, page: Page): Orders {
  let matched: Orders = [];
  for (const { tokens, combinator } of path) {
    const own = matchTokens(tokens, index);
    matched = combinator === null ? own : RELATE[combinator](matched, own, page);
    page.work(1 + own.length);
    if (matched.length === 0) return matched;
  }
  return matched;
}

/** Kinds of conditions that are cheaper to test on a few elements than to look up. */
const LATE: ReadonlySet<TokenKind> = new Set<TokenKind>(['position', 'has', 'except']);

/** Returns the elements that meet all conditions, starting with the first condition on neither places nor contents. */
export function matchTokens(tokens: readonly Token[], index: TokenIndex): Orders {
  const first = tokens.find(({ kind }) => !LATE.has(kind)) ?? tokens[0];
  if (!first) return [];
  return tokens.reduce<Orders>(
    (orders, token) => (token === first ? orders : index.filter(orders, token)),
    index.ordersOf(first),
  );
}

/** Returns the elements of `right` that the relation reaches from an element of `left`. Both are sorted. */
const RELATE: Readonly<Record<Combinator, (left: Orders, right: Orders, page: Page) => Orders>> = {
  ' '(left, right, page) {
    page.work(left.length);
    let next = 0;
    let end = 0;
    return right.filter((order) => {
      // Subtrees are nested or apart: an element is inside one if the furthest end of those before it is behind it.
      for (; next < left.length && (left[next] as number) < order; next++) {
        end = Math.max(end, page.end(left[next] as number));
      }
      return order < end;
    });
  },
  '>': (left, right, page) => right.filter((order) => has(left, page.parent(order))),
  '+': (left, right, page) => right.filter((order) => has(left, page.previous(order))),
};

function has(orders: Orders, wanted: number): boolean {
  return wanted >= 0 && orders[lowerBound(orders, wanted)] === wanted;
}

/** Penalty at which the score is one half. */
const HALF = 20;

/** Returns a score from 0 to 1 for a penalty, and for the share of other pages on which the selector holds. */
export function scoreOf(
  penalty: number,
  { held, tried }: { readonly held: number; readonly tried: number },
): number {
  const own = HALF / (HALF + penalty);
  return Math.round((tried === 0 ? own : (own + (2 * held) / tried) / 3) * 100) / 100;
}

/** Returns sentences about what a path relies on. */
export function reasonsFor(path: Path): string[] {
  const tokens = path.flatMap((step) => step.tokens);
  const reasons = REASONS.flatMap(({ about, say }) => {
    const named = tokens.filter(({ kind }) => about.includes(kind));
    return named.length === 0 ? [] : [say(named.map(({ css }) => css).join(', '))];
  });
  if (path.some(({ combinator }) => combinator === '+')) reasons.push('Relies on the element before it.');
  return reasons;
}

interface Reason {
  readonly about: readonly Token['kind'][];
  readonly say: (names: string) => string;
}

const REASONS: readonly Reason[] = [
  { about: ['test-id'], say: (names) => `Relies on ${names}, which was made for programs.` },
  { about: ['id'], say: (names) => `Relies on the id ${names}.` },
  { about: ['property'], say: (names) => `Relies on ${names}, which says what the value means.` },
  { about: ['attribute', 'presence'], say: (names) => `Relies on the attribute ${names}.` },
  { about: ['label'], say: (names) => `Relies on ${names}, which depends on the language of the page.` },
  { about: ['class'], say: (names) => `Relies on the class ${names}.` },
  {
    about: ['class-part'],
    say: (names) => `Relies on ${names}, the part of a generated class that its author wrote.`,
  },
  { about: ['prefix'], say: (names) => `Relies on ${names}, which all examples share.` },
  { about: ['address'], say: (names) => `Relies on the content ${names}, so it fits this page only.` },
  { about: ['has'], say: (names) => `Relies on what the element contains: ${names}.` },
  {
    about: ['position'],
    say: (names) => `Relies on a position (${names}), which changes when the page gets more elements.`,
  },
];
