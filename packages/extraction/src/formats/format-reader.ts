import type { Budget } from '../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import type { PagePart } from './find-part.ts';

/** Input of a reader besides the document. */
export interface FormatContext {
  /** URL of the page, to which its <base href> is not applied yet. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** Part of the page to read; without one, all of it. Formats that take no options have none. */
  readonly part?: PagePart | null;
}

/**
 * Reads one format of a page. A reader pays the budget for its steps, and bounds what it builds; `extractFormats` pays
 * for the output. Throws UNSUPPORTED_CONTENT when over the budget.
 */
export type FormatReader = (document: ParsedDocument, context: FormatContext) => JsonValue;
