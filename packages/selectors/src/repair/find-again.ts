import type { Mark, Occurrence, PageTexts } from './page-texts.ts';

/** Place of a value on the page as it is now. */
export interface FoundAgain {
  readonly occurrence: Occurrence;
  /** True if nothing else on the page can be meant. */
  readonly isCertain: boolean;
}

/** Likeness of surroundings that is more than chance. */
const ALIKE = 2;
/** Texts shorter than this are on many pages by chance. */
const MIN_DISTINCT_CHARACTERS = 16;
const MAX_PLACES = 40;

/**
 * Finds the value of an element on the page as it is now. Where the page had the value in several places, each is taken for
 * the one with the most alike surroundings; if the page has it in fewer places now, the missing one may be the element's.
 * Returns undefined if no place can be the element's.
 */
export function findAgain(
  order: number,
  mark: Mark,
  { good, bad }: { readonly good: PageTexts; readonly bad: PageTexts },
): FoundAgain | undefined {
  const before = good.find(mark).slice(0, MAX_PLACES);
  const now = bad.find(mark).slice(0, MAX_PLACES);
  const own = before.findIndex(({ elements }) => elements.includes(order));
  if (now.length === 0) return undefined;
  const likeness = (was: Occurrence, is: Occurrence) =>
    Math.max(
      ...was.elements
        .slice(0, 3)
        .flatMap((one) => is.elements.slice(0, 3).map((other) => good.likeness(one, bad, other))),
    );
  const element: Occurrence = before[own] ?? { elements: [order] };
  const scores = now.map((place) => likeness(element, place));
  const best = Math.max(...scores);
  const place = scores.indexOf(best);
  const found = now[place] as Occurrence;
  const others = before.filter((_, index) => index !== own).map((other) => likeness(other, found));
  // Another place of the page explains this one better.
  if (others.some((score) => score > best)) return undefined;
  const isAlone = before.length <= 1 && now.length === 1;
  const isDistinct = mark.value.length >= MIN_DISTINCT_CHARACTERS;
  const second = Math.max(0, ...scores.filter((_, index) => index !== place));
  const isMatched = best >= ALIKE && best > second && others.every((score) => score < best);
  const isCertain = isAlone ? isDistinct || best >= ALIKE : isMatched && now.length >= before.length;
  return { occurrence: found, isCertain };
}
