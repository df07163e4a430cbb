import type { ErrorDetail, Format, FormatName, HiddenTextChoice } from '@gleaner/contracts';
import { parseSelector } from '../css/parse-selector.ts';
import type { SelectorList } from '../css/selector.ts';
import { tokenize } from '../css/tokenize.ts';
import { invalidSelectors } from '../plan/compile-selectors.ts';
import { findSelectorError } from '../plan/parse-field-selector.ts';

/** A format that a request asks for; any can be read without some elements. */
export type FormatToPlan = FormatName | (Partial<FormatOptions> & { readonly type: FormatName });

type FormatOptions = Omit<Exclude<Format, FormatName | { readonly type: 'article' }>, 'type'>;

/** A format to read, and the part of the page that it is read from; null for the whole page. */
export interface PlannedFormat {
  readonly name: FormatName;
  readonly part: PartPlan | null;
  readonly hidden: HiddenTextChoice;
}

/** A part of pages: plain data that can be sent to other threads. */
export interface PartPlan {
  /** True to leave out what surrounds the main content. */
  readonly isMain: boolean;
  /** Elements to keep; null for all. */
  readonly include: CssList | null;
  /** Elements to leave out. */
  readonly exclude: CssList | null;
  /** True to leave out hidden text. */
  readonly dropsHidden: boolean;
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
    if (typeof format === 'string') return { name: format, part: null, hidden: 'keep' };
    const { type: name, main = false, include, exclude, hidden = 'keep' } = format;
    const dropsHidden = hidden === 'drop';
    if (!main && include === undefined && exclude === undefined && !dropsHidden)
      return { name, part: null, hidden };
    const key = JSON.stringify([main, include, exclude, dropsHidden]);
    const part = plans.get(key) ?? {
      isMain: main,
      include: compile(`formats.${index}.include`, include),
      exclude: compile(`formats.${index}.exclude`, exclude),
      dropsHidden,
    };
    plans.set(key, part);
    return { name, part, hidden };
  });
  if (details.length > 0) throw invalidSelectors(details);
  return planned;
}
