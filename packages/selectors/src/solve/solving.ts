import type { ExtractedData } from '@gleaner/contracts';
import type { Budget, Shape } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import type { PageAt } from '../repair/reading.ts';

/** Known values of a page, with the elements that show them. */
export interface SolveRequest {
  readonly shape: Shape;
  readonly data: ExtractedData;
  /** Orders of elements by the paths of their values, such as `books.0.title`. */
  readonly elements: Readonly<Record<string, number>>;
  readonly locale?: string | undefined;
}

/** The state of a search for selectors. */
export interface Solving extends SolveRequest {
  readonly at: PageAt;
  readonly page: Page;
  readonly others: readonly Page[];
  readonly budget: Budget;
  /** Notes a field without a selector. */
  readonly miss: (path: string, message: string) => void;
}

/** Reasons for a field without a selector. */
export const NO_VALUE = 'The model found no value of it on the page.';
export const NO_SELECTOR = 'No selector gives the values that the model found.';
