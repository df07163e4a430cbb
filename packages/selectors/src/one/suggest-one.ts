import type { Page } from '../page.ts';
import { cssOf } from '../paths/path.ts';
import { reasonsFor, scoreOf } from '../paths/score.ts';
import type { Candidate } from '../suggestion.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import { readTake, showValues, type Take, takeOf } from '../values/take.ts';
import { findPaths } from './find-paths.ts';

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

/** Returns the shape of a value: runs of digits and of letters. Values of one field mostly share it in part. */
function shapeOf(value: string): string {
  if (value === '') return 'empty';
  if (/^https?:|^\/|^\.{1,2}\//.test(value)) return 'address';
  const sample = value.slice(0, 100);
  const digits = sample.match(/\d/g)?.length ?? 0;
  if (digits > 0 && digits * 3 >= sample.replace(/\s/g, '').length) return 'numeric';
  return value.length > 120 ? 'long text' : 'text';
}
