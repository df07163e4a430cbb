import type { Source } from './source.ts';

/** Years that are guessed; other numbers of four digits are more often something else. */
const EARLIEST = 1000;
const LATEST = 2999;

/** The Buddhist calendar counts 543 years more; its years in use cannot be taken for others. */
const EARLIEST_BUDDHIST = 2400;
const BUDDHIST_YEARS = 543;

/** Returns the year that a number of four digits stands for; years of Thai texts can be Buddhist. */
export function yearOf({ isThai }: Source, digits: string | undefined): number | undefined {
  const year = digits?.length === 4 ? Number(digits) : Number.NaN;
  if (!(year >= EARLIEST && year <= LATEST)) return undefined;
  return isThai && year >= EARLIEST_BUDDHIST ? year - BUDDHIST_YEARS : year;
}
