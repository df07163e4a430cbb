import type { Warning } from '@gleaner/contracts';
import type { ParsedDocument } from '../dom/parse-document.ts';

/** Problem that did not stop the extraction. */
export interface ExtractionWarning {
  /** Path of the field; absent if the warning is about the whole page. */
  readonly field?: string;
  readonly code: Warning['code'];
  readonly message: string;
}

/** Returns the warnings about the document as a whole. */
export function documentWarnings({ xmlError }: ParsedDocument): readonly ExtractionWarning[] {
  if (xmlError === null) return [];
  const message = `The page was sent as XML but is not well-formed (${xmlError}), so it was read as HTML.`;
  return [{ code: 'XML_NOT_WELL_FORMED', message }];
}
