import type { Page } from '../page.ts';
import { COMBINATOR_PENALTIES, matchTokens, type Path, type Step } from '../paths/path.ts';
import type { Token, TokenKind } from '../tokens/token.ts';
import type { TokenIndex } from '../tokens/token-index.ts';
import { ANY, childToken, ownTokens, tagToken } from '../tokens/tokens-of.ts';

/** The target or an element around it that is found by its names, by those of an element inside it, or by those of a sibling before it. */
export interface Anchor {
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

const NAMED: ReadonlySet<TokenKind> = new Set<TokenKind>([
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
export function findAnchors(target: number, index: TokenIndex, page: Page): Anchor[] {
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
    .filter(({ kind }) => NAMED.has(kind) || kind === 'tag')
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

/** Elements that contain every id, so that none of them says anything. */
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
