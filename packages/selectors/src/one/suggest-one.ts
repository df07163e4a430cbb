import type { Page } from '../page.ts';
import { cssOf } from '../paths/path.ts';
import { reasonsFor, scoreOf } from '../paths/score.ts';
import type { Candidate } from '../suggestion.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import { showValues, takeOf } from '../values/take.ts';
import { findPaths } from './find-paths.ts';
import { tryOnOthers } from './stability.ts';

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
