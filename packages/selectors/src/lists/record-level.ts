import type { Page } from '../page.ts';
import { ALIKE, type Likeness } from './likeness.ts';

/** Levels above the picked elements at which their records may be. */
const MAX_LEVELS = 8;

/** Share of the records that must have the tag and the looks of the first. */
const MIN_SHARE = 0.8;

/**
 * Returns the levels at which the elements have a record each, from the inside to the outside: the links, the headings around them and
 * the cards around those. The first level is the elements themselves.
 */
export function recordLevels(
  elements: readonly number[],
  container: number,
  likeness: Likeness,
  page: Page,
): (readonly number[])[] {
  const levels = [elements];
  for (let level = 0; level < MAX_LEVELS; level++) {
    const records = (levels.at(-1) ?? []).map((order) => page.parent(order));
    page.work(records.length);
    if (new Set(records).size < records.length || records.some((order) => order <= container)) break;
    const [first] = records as [number];
    const alike = records.filter((order) => likeness.of(first, order) >= ALIKE);
    if (alike.length < MIN_SHARE * records.length) break;
    levels.push(records);
  }
  return levels;
}
