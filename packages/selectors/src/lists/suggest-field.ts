import type { Page } from '../page.ts';
import { reasonsFor, scoreOf } from '../paths/score.ts';
import type { Candidate } from '../suggestion.ts';
import { TokenIndex } from '../tokens/token-index.ts';
import { showValues, takeOf } from '../values/take.ts';
import { recordsLike } from './find-examples.ts';
import { findFieldPaths } from './find-field-paths.ts';
import { Likeness } from './likeness.ts';
import type { ListPicks } from './suggest-list.ts';

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

/** Returns the records; a single one stands for those that look like it. */
function recordsOf(within: readonly number[], page: Page): readonly number[] {
  const [only, ...more] = within;
  return only === undefined || more.length > 0 ? within : recordsLike(only, new Likeness(page), page);
}
