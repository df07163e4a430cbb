import type { Page } from '../page.ts';
import {
  COMBINATOR_PENALTIES,
  kindsOf,
  matchPath,
  matchTokens,
  type Path,
  penaltyOf,
  type Step,
} from '../path.ts';
import type { Token, TokenKind } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { ANY, childToken, ownTokens, positionToken, tagToken } from '../tokens/tokens-of.ts';
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

/** Penalty of a place outside a named element, unique by coincidence only. */
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

/** The target or an element around it that is found by its names, by those of an element inside it, or by those of a sibling before it. */
interface Anchor {
  readonly order: number;
  readonly path: Path;
  readonly penalty: number;
}

const MAX_LEVELS = 40;
const MAX_ANCHORS = 3;

/** Penalty for each power of ten of elements inside the anchor: places in a small part of the page change less. */
const SIZE_PENALTY = 3;

/** Most descendants that are searched for an id; headings come first. */
const MAX_DESCENDANTS = 12;

const MAX_NAMES = 8;

const ANCHOR_KINDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'test-id',
  'id',
  'property',
  'attribute',
  'class',
  'class-part',
]);

/** Levels from the target at which siblings are looked at, and how many of them. */
const MAX_SIBLING_LEVELS = 8;
const MAX_SIBLINGS = 3;

/** Finds elements from which the target can be found, the best first. */
function findAnchors(target: number, index: TokenIndex, page: Page): Anchor[] {
  const ancestors = page.ancestors(target, MAX_LEVELS);
  const siblings = [target, ...ancestors.slice(0, MAX_SIBLING_LEVELS - 1)].flatMap((order, level) =>
    siblingsBefore(order, page).map((sibling, at) => ({ order, sibling, steps: at + 1, level })),
  );
  const names = new Map(
    [...ancestors, ...siblings.map(({ sibling }) => sibling)].map((order) => [order, namesOf(order, page)]),
  );
  index.prepare([...names.values()].flat());
  const anchors = ancestors.flatMap((order): Anchor[] => {
    const best = uniqueTokens(names.get(order) ?? [], index);
    if (best === null) return [];
    return [
      { order, path: [{ tokens: best, combinator: null }], penalty: sumOf(best) + sizePenalty(order, page) },
    ];
  });
  for (const { order, sibling, steps, level } of siblings) {
    const best = uniqueTokens(names.get(sibling) ?? [], index);
    if (best === null) continue;
    const own = tagToken(page.element(order), page);
    const between = Array.from({ length: steps - 1 }, (): Step => ({ tokens: [ANY], combinator: '+' }));
    const path: Path = [{ tokens: best, combinator: null }, ...between, { tokens: [own], combinator: '+' }];
    const penalty =
      sumOf(best) +
      steps * COMBINATOR_PENALTIES['+'] +
      (level > 0 ? MOVED_PENALTY + sizePenalty(order, page) : 0) +
      OWN_TAG_PENALTY;
    anchors.push({ order, path, penalty });
  }
  return anchors.sort((left, right) => left.penalty - right.penalty).slice(0, MAX_ANCHORS);
}

function sizePenalty(order: number, page: Page): number {
  return SIZE_PENALTY * Math.log10(page.end(order) - order);
}

const OWN_TAG_PENALTY = 3;

/** Penalty of a sibling before an element around the target: blocks are moved more often than their content. */
const MOVED_PENALTY = 4;

function siblingsBefore(order: number, page: Page): number[] {
  const siblings: number[] = [];
  if (WHOLE_PAGE.has(page.element(order).name)) return siblings;
  for (let at = page.previous(order); at >= 0 && siblings.length < MAX_SIBLINGS; at = page.previous(at))
    siblings.push(at);
  return siblings;
}

/** Returns the names of an element and, as conditions on its content, the ids of the first elements inside it. */
function namesOf(order: number, page: Page): Token[] {
  const own = ownTokens(order, page)
    .filter(({ kind }) => ANCHOR_KINDS.has(kind) || kind === 'tag')
    .sort((left, right) => left.penalty - right.penalty)
    .slice(0, MAX_NAMES);
  if (WHOLE_PAGE.has(page.element(order).name)) return own;
  const end = Math.min(page.end(order), order + 1 + MAX_DESCENDANTS);
  for (let inner = order + 1; inner < end; inner++) {
    const id = ownTokens(inner, page).find(({ kind }) => kind === 'id' || kind === 'test-id');
    if (id) return [...own, childToken(order, { inner, token: id }, page)];
  }
  return own;
}

/** Elements around every id, which do not narrow a path. */
const WHOLE_PAGE = new Set(['html', 'body']);

/** Returns the best one or two conditions that only this element meets. */
function uniqueTokens(tokens: readonly Token[], index: TokenIndex): readonly Token[] | null {
  const pairs = tokens.flatMap((first, at) => [
    ...(first.kind === 'tag' ? [] : [[first]]),
    ...tokens.slice(at + 1).map((second) => [first, second]),
  ]);
  pairs.sort((left, right) => sumOf(left) - sumOf(right));
  return pairs.find((pair) => matchTokens(pair, index).length === 1) ?? null;
}

/** Returns the penalty of the tokens; a tag beside a name adds little. */
function sumOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { kind, penalty }) => sum + (kind === 'tag' ? 1 : penalty), 0);
}
