import type { ParsedDocument } from '../dom/parse-document.ts';

/** What a caller should know of values that were taken all the same. */
export interface ExtractionWarning {
  /** The field that it is about, by its names from the top; absent where it is about the whole page. */
  readonly field?: string;
  readonly code: 'SELECTOR_NO_MATCH' | 'XML_NOT_WELL_FORMED';
  readonly message: string;
}

/** What is to be said of the document, whatever is taken of it. */
export function documentWarnings({ xmlFault }: ParsedDocument): readonly ExtractionWarning[] {
  if (xmlFault === null) return [];
  const message = `The page is sent as XML and is not well-formed (${xmlFault}): it was read as HTML.`;
  return [{ code: 'XML_NOT_WELL_FORMED', message }];
}
