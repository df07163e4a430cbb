import { lowerBound } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import type { Token, TokenKind } from '../tokens/token.ts';
import type { Orders, TokenIndex } from '../tokens/token-index.ts';
import { hasToken, ownTokens, positionToken, tagToken } from '../tokens/tokens-of.ts';

const MAX_TOKENS_OF_ELEMENT = 10;
const MAX_ANCESTORS = 6;

/** Most descendants of an element whose names are looked at. */
const MAX_DESCENDANTS = 60;

/** Penalty of the place of an element around the target, beside that of any place: blocks are moved more often than their content. */
const ANCESTOR_POSITION_PENALTY = 4;

/** Levels around the target on which an element may be recognized by addresses inside it, as a row by its link. */
const LEVELS_BY_ADDRESS = 3;

/** Part of the page in which a target is searched for: the document, or an element that is found by name. */
export interface Scope {
  /** Order of the element; -1 for the document. */
  readonly order: number;
  readonly end: number;
}

/** Conditions on a target and on the elements around it inside a scope, all prepared in the index. */
export class Vocabulary {
  /** Ancestors inside the scope, nearest first. */
  readonly ancestors: readonly number[];
  readonly #target: number;
  readonly #page: Page;
  readonly #tokens = new Map<number, readonly Token[]>();

  constructor(
    target: number,
    scope: Scope,
    { index, page }: { readonly index: TokenIndex; readonly page: Page },
  ) {
    this.#target = target;
    this.#page = page;
    this.ancestors = page.ancestors(target, MAX_ANCESTORS).filter((order) => order > scope.order);
    const all = new Map<number, Token[]>();
    [target, ...this.ancestors].forEach((order, level) => {
      const names = ownTokens(order, page);
      all.set(order, [...names, ...contentTokens(order, page, level < LEVELS_BY_ADDRESS)]);
    });
    for (const order of [target, ...this.ancestors].map((inner) => page.previous(inner))) {
      if (order > scope.order && !all.has(order)) {
        all.set(order, [...ownTokens(order, page), ...contentTokens(order, page, false)]);
      }
    }
    index.prepare([...all.values()].flat());
    for (const [order, tokens] of all) this.#tokens.set(order, this.#choose(order, tokens, { index, scope }));
  }

  /** Returns the conditions on an element, which may be the sibling before another. */
  tokens(order: number, role: 'around' | 'previous'): readonly Token[] {
    const tokens = this.#tokens.get(order) ?? [];
    return role === 'around' ? tokens : tokens.filter(({ kind }) => kind !== 'position');
  }

  /** Adds a condition to those of a step; a place is one among the siblings of a tag, so the tag is named. */
  withTag(order: number, token: Token, tokens: readonly Token[]): readonly Token[] {
    const needsTag = token.kind === 'position' && tokens.every(({ kind }) => kind !== 'tag');
    return needsTag
      ? [...tokens, tagToken(this.#page.element(order), this.#page), token]
      : [...tokens, token];
  }

  /** Keeps the best conditions: names with few flaws that are rare, one for each set of elements that they describe; then the place. */
  #choose(
    order: number,
    tokens: readonly Token[],
    { index, scope }: { readonly index: TokenIndex; readonly scope: Scope },
  ): readonly Token[] {
    const weighted = tokens.map((token) => {
      const orders = inScope(index.ordersOf(token), scope);
      return { token: { ...token, penalty: token.penalty + Math.log10(1 + orders.length) / 2 }, orders };
    });
    weighted.sort((left, right) => left.token.penalty - right.token.penalty);
    const chosen: typeof weighted = [];
    for (const next of weighted) {
      if (chosen.length >= MAX_TOKENS_OF_ELEMENT) break;
      const isNew = next.token.kind === 'tag' || chosen.every(({ orders }) => !areSame(orders, next.orders));
      if (isNew) chosen.push(next);
    }
    const position = positionToken(order, this.#page);
    const extra = order === this.#target ? 0 : ANCESTOR_POSITION_PENALTY;
    return [...chosen.map(({ token }) => token), { ...position, penalty: position.penalty + extra }];
  }
}

/** Returns the orders inside the scope; `orders` is sorted. */
export function inScope(orders: Orders, { order, end }: Scope): Orders {
  return order < 0 ? orders : orders.slice(lowerBound(orders, order + 1), lowerBound(orders, end));
}

function areSame(left: Orders, right: Orders): boolean {
  if (left.length !== right.length) return false;
  return left.length < 200 && left.every((order, index) => order === right[index]);
}

const NAMED_INSIDE: ReadonlySet<TokenKind> = new Set<TokenKind>(['id', 'test-id', 'property']);

/** Returns conditions on what an element contains: names, and addresses where they may recognize it. */
function contentTokens(element: number, page: Page, takesAll: boolean): Token[] {
  const end = Math.min(page.end(element), element + 1 + MAX_DESCENDANTS);
  const contents = new Map<string, Token>();
  for (let order = element + 1; order < end; order++) {
    for (const token of ownTokens(order, page)) {
      const isWanted = takesAll ? token.kind !== 'tag' : NAMED_INSIDE.has(token.kind);
      if (isWanted && !contents.has(token.css)) contents.set(token.css, hasToken(token));
    }
  }
  return [...contents.values()]
    .sort((left, right) => left.penalty - right.penalty)
    .slice(0, MAX_TOKENS_OF_ELEMENT);
}
