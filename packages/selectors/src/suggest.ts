import { AppError } from '@gleaner/contracts';
import type { ParsedDocument } from '@gleaner/extraction';
import { suggestField } from './lists/suggest-field.ts';
import { suggestList } from './lists/suggest-list.ts';
import { findPaths } from './one/find-paths.ts';
import { Page } from './page.ts';
import { cssOf, reasonsFor, scoreOf } from './path.ts';
import type { Candidate, SuggestOptions, SuggestRequest } from './suggestion.ts';
import { readTake, shapeOf, showValues, type Take, takeOf } from './take.ts';
import { TokenIndex } from './tokens/token-index.ts';

/**
 * Proposes selectors for elements that a user picked, the most robust first. Where one element stands among others like it, the first
 * proposal is the list of them. Throws INVALID_REQUEST for elements that the page does not have, and UNSUPPORTED_CONTENT when over
 * the budget.
 */
export function suggest(
  document: ParsedDocument,
  { kind, picks: given, not: unwanted = [], within = [], alsoOn = [] }: SuggestRequest,
  { budget }: SuggestOptions = {},
): Candidate[] {
  const page = new Page(document, budget);
  const others = alsoOn.map((other) => new Page(other, page.budget));
  const picks = checkNodes('picks', given, page);
  const not = checkNodes('not', unwanted, page);
  const [first, ...more] = picks;
  if (first === undefined) throw invalid('picks', 'Pick at least one element.');
  if (kind === 'list') return suggestList({ picks, not }, page, others);
  if (kind === 'field') {
    const records = checkNodes('within', typeof within === 'number' ? [within] : within, page);
    const outside = picks.find(
      (pick) => !records.some((record) => pick === record || page.isInside(pick, record)),
    );
    if (outside !== undefined)
      throw invalid('picks', `The element ${outside} is not inside a record: name records in "within".`);
    return suggestField({ picks, not }, records, page);
  }
  if (more.length > 0) throw invalid('picks', 'One element is enough: ask for a list to select several.');
  const [list] = suggestList({ picks, not }, page, others);
  const ones = suggestOne(first, page, others);
  return list && list.matches >= MIN_LIST ? [list, ...ones] : ones;
}

/** Elements from which on a list is proposed for a single pick. */
const MIN_LIST = 3;

/** Returns the elements in document order, each once. */
function checkNodes(path: string, nodes: readonly number[], page: Page): number[] {
  const unknown = nodes.find((node) => !Number.isInteger(node) || node < 0 || node >= page.size);
  if (unknown !== undefined) throw invalid(path, `The page has no element ${unknown}: it has ${page.size}.`);
  return [...new Set(nodes)].sort((left, right) => left - right);
}

function invalid(path: string, message: string): AppError {
  return new AppError('INVALID_REQUEST', { message, details: [{ path, message }] });
}

/** Proposes selectors that match one element only, the most robust first. */
export function suggestOne(target: number, page: Page, others: readonly Page[]): Candidate[] {
  const index = new TokenIndex(page);
  const take = takeOf(target, page);
  const candidates = findPaths(target, index, page).flatMap(({ path, penalty }): Candidate[] => {
    const selector = cssOf(path);
    const matched = page.find(selector)(null);
    if (matched.length !== 1 || matched[0] !== target) return [];
    const stability = tryOnOthers({ css: selector, take, target }, page, others);
    return [
      {
        kind: 'one',
        selector,
        take,
        matches: 1,
        values: showValues(take, matched, page),
        score: scoreOf(penalty, stability),
        reasons: reasonsFor(path),
        ...(others.length > 0 && { stableOn: `${stability.held} of ${stability.tried}` }),
      },
    ];
  });
  return candidates.sort((left, right) => right.score - left.score);
}

/** Other pages on which a selector was tried. */
interface Stability {
  readonly held: number;
  readonly tried: number;
}

/** Counts the other pages on which the selector matches one element with a value of the same shape. */
function tryOnOthers(
  { css, take, target }: { readonly css: string; readonly take: Take; readonly target: number },
  page: Page,
  others: readonly Page[],
): Stability {
  const shape = shapeOf(readTake(take, target, page) ?? '');
  const holds = (other: Page): boolean => {
    const [only, ...more] = other.find(css)(null);
    return only !== undefined && more.length === 0 && shapeOf(readTake(take, only, other) ?? '') === shape;
  };
  return { held: others.filter(holds).length, tried: others.length };
}
