import { AppError, type ErrorDetail } from '@gleaner/contracts';
import { SelectorError, type SelectorList } from '../css/selector.ts';
import { parseFieldSelector } from '../plan/parse-field-selector.ts';

/** Links of a page that a caller wants. */
export interface OutlinkSelection {
  /** All links, none, or those that these CSS selectors match or that lie within what they match. */
  readonly follow: boolean | readonly string[];
  /** CSS selector of links that are wanted in any case. */
  readonly next?: string | undefined;
}

/** A compiled selection. */
export interface OutlinkPlan {
  readonly follow: boolean | SelectorList;
  readonly next: SelectorList | null;
}

/** Compiles a selection. Throws INVALID_SELECTOR with every error. */
export function planOutlinks({ follow, next }: OutlinkSelection): OutlinkPlan {
  const details: ErrorDetail[] = [];
  const parse = (path: string, css: string): SelectorList => {
    try {
      return parseFieldSelector(css).list;
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      details.push({ path, message: error.message });
      return [];
    }
  };
  const plan = {
    follow:
      typeof follow === 'boolean' ? follow : follow.flatMap((css, index) => parse(`follow.${index}`, css)),
    next: next === undefined ? null : parse('next', next),
  };
  if (details.length > 0) throw new AppError('INVALID_SELECTOR', { details });
  return plan;
}
