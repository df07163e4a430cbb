import { lowerBound } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import {
  COMBINATOR_PENALTIES,
  cssOf,
  matchPath,
  type Path,
  reasonsFor,
  type Step,
  scoreOf,
} from '../path.ts';
import type { Candidate, ListPicks } from '../suggestion.ts';
import { showValues, takeOf } from '../take.ts';
import type { Token } from '../tokens/token.ts';
import { type Orders, TokenIndex } from '../tokens/token-index.ts';
import { ownTokens, positionToken, SCOPE, tagToken } from '../tokens/tokens-of.ts';
import { recordsLike } from './find-examples.ts';
import { Likeness } from './likeness.ts';

/** Proposes selectors relative to records for elements picked inside some of them. */
export function suggestField({ picks, not }: ListPicks, within: readonly number[], page: Page): Candidate[] {
  const records = recordsOf(within, page);
  const elements = new Map<number, number>();
  for (const pick of picks) {
    const record = records.findLast((order) => order === pick || page.isInside(pick, order));
    if (record !== undefined && !elements.has(record)) elements.set(record, pick);
  }
  const index = new TokenIndex(page);
  return findFieldPaths({ records, elements, not }, index, page).map(
    ({ path, css, penalty, firsts, agreement }) => {
      const found = firsts.filter((order) => order !== undefined);
      const take = takeOf(picks[0] as number, page);
      return {
        kind: 'field',
        selector: css,
        take,
        matches: found.length,
        values: showValues(take, found, page),
        score: Math.round(scoreOf(penalty, { held: 0, tried: 0 }) * agreement * 100) / 100,
        reasons: [`${found.length} of ${records.length} records have one.`, ...reasonsFor(path)],
      };
    },
  );
}

/** Returns the records; a single one stands for all records like it. */
function recordsOf(within: readonly number[], page: Page): readonly number[] {
  const [only, ...more] = within;
  return only === undefined || more.length > 0 ? within : recordsLike(only, new Likeness(page), page);
}

/** Records, with the element to take for a field where a record has one. */
interface FieldExamples {
  /** Records in document order. */
  readonly records: readonly number[];
  /** For records with a known value, the element that holds it. */
  readonly elements: ReadonlyMap<number, number>;
  readonly not: readonly number[];
}

/** A selector relative to the records. */
export interface FieldPath {
  readonly path: Path;
  readonly css: string;
  readonly penalty: number;
  /** For each record, its first match; undefined if it has none. */
  readonly firsts: readonly (number | undefined)[];
  /** Share of the known elements that it takes. */
  readonly agreement: number;
}

const MAX_TOKENS = 8;
const MAX_FOUND = 5;

/** Penalty that weighs as much as missing all known elements. */
const PENALTY_SCALE = 120;

/** Finds selectors relative to records whose first match in each is the known element, the best first. */
export function findFieldPaths(wanted: FieldExamples, index: TokenIndex, page: Page): FieldPath[] {
  const { records, elements, not } = wanted;
  index.define(SCOPE, records);
  const found = new Map<string, FieldPath>();
  for (const path of candidatePaths(wanted, index, page)) {
    if (page.isTired) break;
    const css = cssOf(path);
    if (found.has(css)) continue;
    const matches = matchPath(path, index, page);
    const isSelf = css === SCOPE.css;
    const firsts = records.map((record) =>
      firstFrom(isSelf ? record : record + 1, matches, page.end(record)),
    );
    const agreeing = records.filter(
      (record, at) => elements.has(record) && firsts[at] === elements.get(record),
    );
    if (agreeing.length === 0 || not.some((order) => firsts.includes(order))) continue;
    found.set(css, {
      path,
      css,
      penalty: penaltyOfField(path),
      firsts,
      agreement: agreeing.length / elements.size,
    });
  }
  const worth = ({ agreement, penalty }: FieldPath): number => agreement - penalty / PENALTY_SCALE;
  return [...found.values()].sort((left, right) => worth(right) - worth(left)).slice(0, MAX_FOUND);
}

function penaltyOfField(path: Path): number {
  return path.reduce((sum, { tokens, combinator }) => {
    const named = tokens.some(({ kind }) => kind !== 'tag');
    // Inside a record, tags and places say more than in a page.
    const own = tokens.reduce((total, { kind, penalty }) => {
      if (kind === 'tag') return total + (named ? 0.5 : Math.min(4, penalty));
      return total + (kind === 'position' ? penalty / 2 : penalty);
    }, 0);
    return sum + own + (combinator === null ? 0 : COMBINATOR_PENALTIES[combinator] / 2);
  }, 0);
}

function* candidatePaths({ elements }: FieldExamples, index: TokenIndex, page: Page): Generator<Path> {
  const [[record, element] = []] = elements;
  if (record === undefined || element === undefined) return;
  if (record === element) {
    yield [{ tokens: [SCOPE], combinator: null }];
    return;
  }
  const between = page.ancestors(element).filter((order) => order > record);
  const names = new Map([element, ...between.slice(0, 3)].map((order) => [order, namesOf(order, page)]));
  index.prepare([...names.values()].flat());
  const compounds = compoundsOf(element, names.get(element) ?? [], page);
  for (const tokens of compounds) yield [{ tokens, combinator: null }];
  const parent = page.parent(element);
  for (const tokens of compounds) {
    if (parent === record) yield [scopeStep, { tokens, combinator: '>' }];
    for (const order of between.slice(0, 3)) {
      for (const token of names.get(order) ?? []) {
        const outer: Step = { tokens: [token], combinator: null };
        yield [outer, { tokens, combinator: ' ' }];
        if (order === parent) yield [outer, { tokens, combinator: '>' }];
      }
    }
  }
  const chain = [...between]
    .reverse()
    .map((order): Step => ({ tokens: placed(order, page), combinator: '>' }));
  if (chain.length < 6) yield [scopeStep, ...chain, { tokens: placed(element, page), combinator: '>' }];
}

const scopeStep: Step = { tokens: [SCOPE], combinator: null };

function namesOf(order: number, page: Page): Token[] {
  return ownTokens(order, page)
    .filter(({ kind }) => kind !== 'address' && kind !== 'label' && kind !== 'id')
    .sort((left, right) => left.penalty - right.penalty)
    .slice(0, MAX_TOKENS);
}

function compoundsOf(order: number, names: readonly Token[], page: Page): (readonly Token[])[] {
  const tag = tagToken(page.element(order), page);
  const others = names.filter(({ kind }) => kind !== 'tag');
  const pairs = others.flatMap((first, at) => others.slice(at + 1, at + 3).map((second) => [first, second]));
  return [
    ...others.map((token) => [token]),
    [tag],
    ...others.map((token) => [tag, token]),
    ...pairs,
    placed(order, page),
  ];
}

/** Returns the tag of an element and, if it has siblings of the same, its place among them. */
function placed(order: number, page: Page): readonly Token[] {
  const tag = tagToken(page.element(order), page);
  const isOnly = page.placeOf(order) === 1 && page.isLastOfType(order);
  return isOnly ? [tag] : [tag, numbered(order, page)];
}

/** Returns the place of an element by its number, since the last of one record is not the last of another. */
function numbered(order: number, page: Page): Token {
  const place = page.placeOf(order);
  if (place === 1) return positionToken(order, page);
  return {
    kind: 'position',
    css: `:nth-of-type(${place})`,
    penalty: 11,
    condition: { on: 'position', place },
  };
}

/** Returns the first of the sorted matches in a range. */
function firstFrom(start: number, matches: Orders, end: number): number | undefined {
  const first = matches[lowerBound(matches, start)];
  return first !== undefined && first < end ? first : undefined;
}
