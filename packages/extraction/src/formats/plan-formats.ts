import type { ErrorDetail, Format, FormatName } from '@gleaner/contracts';
import { parseSelector } from '../css/parse-selector.ts';
import type { SelectorList } from '../css/selector.ts';
import { tokenize } from '../css/tokenize.ts';
import { invalidSelectors } from '../plan/compile-selectors.ts';
import { findSelectorError } from '../plan/parse-field-selector.ts';

/** A format that a request asks for; any can be read without some elements. */
export type FormatToPlan =
  | Format
  | (Omit<Exclude<Format, FormatName>, 'type'> & { readonly type: FormatName });

/** A format to read, and the part of the page that it is read from; null for the whole page. */
export interface PlannedFormat {
  readonly name: FormatName;
  readonly part: PartPlan | null;
}

/** A part of pages: plain data that can be sent to other threads. */
export interface PartPlan {
  /** True to leave out what surrounds the main content. */
  readonly isMain: boolean;
  /** Elements to keep; null for all. */
  readonly include: CssList | null;
  /** Elements to leave out. */
  readonly exclude: CssList | null;
}

interface CssList {
  readonly css: string;
  readonly list: SelectorList;
}

/**
 * Compiles the formats of a request; those of the same part share its plan. Throws one INVALID_SELECTOR whose `details` list
 * every error by its path, such as `formats.0.include`.
 */
export function planFormats(formats: readonly FormatToPlan[]): readonly PlannedFormat[] {
  const details: ErrorDetail[] = [];
  const plans = new Map<string, PartPlan>();
  const compile = (path: string, css: string | undefined): CssList | null => {
    const message = css === undefined ? undefined : findSelectorError(css);
    if (message !== undefined) details.push({ path, message });
    return css === undefined || message !== undefined ? null : { css, list: parseSelector(tokenize(css)) };
  };
  const planned = formats.map((format, index): PlannedFormat => {
    if (typeof format === 'string') return { name: format, part: null };
    const { type, main = false, include, exclude } = format;
    if (!main && include === undefined && exclude === undefined) return { name: type, part: null };
    const key = JSON.stringify([main, include, exclude]);
    const part = plans.get(key) ?? {
      isMain: main,
      include: compile(`formats.${index}.include`, include),
      exclude: compile(`formats.${index}.exclude`, exclude),
    };
    plans.set(key, part);
    return { name: type, part };
  });
  if (details.length > 0) throw invalidSelectors(details);
  return planned;
}
