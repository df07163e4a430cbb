import type { Page } from '../page.ts';
import {
  COMBINATOR_PENALTIES,
  kindsOf,
  matchPath,
  matchTokens,
  type Path,
  penaltyOf,
  type Step,
} from '../paths/path.ts';
import type { TokenKind } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { positionToken, tagToken } from '../tokens/tokens-of.ts';
import { type Anchor, findAnchors } from './find-anchors.ts';
import { type FoundPath, type SearchLimits, searchPaths } from './search-paths.ts';
import { inScope, type Scope } from './vocabulary.ts';

const MAX_FOUND = 5;

/** Limits of the search in the whole page: at most three steps. */
const IN_PAGE: SearchLimits = { steps: 3, tried: 700, found: 12 };

/** Limits of the search inside an anchor, which is a step itself. */
const IN_ANCHOR: SearchLimits = { steps: 2, tried: 300, found: 4 };

/**
 * Finds selectors that match the target only, the best first: by names in the whole page, and by names and places inside the
 * nearest elements that have a name of their own. Where both fail, a chain of places.
 */
export function findPaths(target: number, index: TokenIndex, page: Page): FoundPath[] {
  const document = { order: -1, end: page.size };
  const found = searchPaths(target, { scope: document, limits: IN_PAGE }, { index, page });
  for (const anchor of findAnchors(target, index, page)) found.push(...findFrom(anchor, target, index, page));
  if (found.length === 0) found.push(...findChain(target, document, index, page));
  const judged = found.map(({ path, penalty }) => ({
    path,
    penalty: penalty + coincidencePenalty(path),
  }));
  const sorted = judged.sort((left, right) => left.penalty - right.penalty);
  const kinds = new Map<string, FoundPath>();
  for (const one of sorted) {
    const kind = kindsOf(one.path);
    if (!kinds.has(kind)) kinds.set(kind, one);
  }
  return [...kinds.values()].slice(0, MAX_FOUND);
}

function findFrom(anchor: Anchor, target: number, index: TokenIndex, page: Page): FoundPath[] {
  const { order, path, penalty } = anchor;
  if (order === target) return matchPath(path, index, page).length === 1 ? [{ path, penalty }] : [];
  const scope = { order, end: page.end(order) };
  const inside = searchPaths(target, { scope, limits: IN_ANCHOR }, { index, page });
  const found = inside.length > 0 ? inside : findChain(target, scope, index, page);
  return found.map((inner) => join(anchor, inner));
}

function join({ path: outer, penalty: before }: Anchor, { path, penalty }: FoundPath): FoundPath {
  const [first, ...rest] = path;
  const inner: Path = first ? [{ ...first, combinator: ' ' }, ...rest] : [];
  return { path: [...outer, ...inner], penalty: before + COMBINATOR_PENALTIES[' '] + penalty };
}

const NAMED: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'test-id',
  'id',
  'property',
  'attribute',
  'class',
  'class-part',
  'presence',
]);

/** Penalty of a place that is not one inside a named element, so that it is unique by coincidence. */
const COINCIDENCE_PENALTY = 5;

function coincidencePenalty(path: Path): number {
  return path.reduce((sum, { tokens }, at) => {
    const hasPlace = tokens.some(({ kind }) => kind === 'position');
    return sum + (hasPlace && !path.slice(0, at).some(isNamed) ? COINCIDENCE_PENALTY : 0);
  }, 0);
}

function isNamed({ tokens }: Step): boolean {
  return tokens.some(
    ({ kind, condition }) =>
      NAMED.has(kind) ||
      ((condition.on === 'has' || condition.on === 'child') && NAMED.has(condition.inner.kind)),
  );
}

/** Longest chain of children that is written. */
const MAX_CHAIN = 64;

/**
 * Returns the shortest chain of places among siblings, from the target outwards, that matches the target only in the scope; none if
 * it would be too long to write.
 */
function findChain(target: number, scope: Scope, index: TokenIndex, page: Page): FoundPath[] {
  let path: Path = [];
  // Matches of the chain so far, by the element that its outermost step matches.
  let heads = inScope(
    Array.from({ length: page.size }, (_, order) => order),
    scope,
  );
  const around = page.ancestors(target, MAX_CHAIN).filter((order) => order > scope.order);
  for (const order of [target, ...around]) {
    const tag = tagToken(page.element(order), page);
    index.prepare([tag]);
    // Without siblings of its tag, the place says nothing.
    const isOnly = page.placeOf(order) === 1 && page.isLastOfType(order);
    const tokens = isOnly ? [tag] : [tag, positionToken(order, page)];
    const [first, ...rest] = path;
    path = [
      { tokens, combinator: null },
      ...(first ? [{ ...first, combinator: '>' } as const, ...rest] : []),
    ];
    const own = new Set(matchTokens(tokens, index));
    heads = (order === target ? heads : heads.map((head) => page.parent(head))).filter((head) =>
      own.has(head),
    );
    page.work(heads.length + own.size);
    if (heads.length === 1) return [{ path, penalty: penaltyOf(path) }];
    if (page.isTired) break;
  }
  return [];
}
