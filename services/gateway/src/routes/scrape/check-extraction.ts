import {
  AppError,
  type ErrorDetail,
  formatNameOf,
  type ScrapeOptions,
  WORD_FORMAT_NAMES,
} from '@gleaner/contracts';
import { planFormats, planSelectors } from '@gleaner/extraction';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { findSourceErrors } from './find-capture-errors.ts';

/** Options for extraction from a page. */
type Extraction = Pick<ScrapeOptions, 'selectors' | 'formats'>;

/**
 * Throws INVALID_REQUEST for formats that are named twice or have an option too many, and INVALID_SELECTOR with the errors of all selectors, those of
 * formats included.
 */
export function checkExtraction({ selectors, formats }: Extraction): void {
  const wrong = findFormatErrors({ formats });
  if (wrong.length > 0) {
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(wrong), details: wrong });
  }
  const details = [
    ...(selectors ? selectorErrorsOf(() => planSelectors(selectors)) : []),
    ...(formats ? selectorErrorsOf(() => planFormats(formats)) : []),
  ];
  if (details.length > 0) {
    throw new AppError('INVALID_SELECTOR', { message: summarizeDetails(details), details });
  }
}

/** Does the same for a page that is not fetched: it has no captured responses. */
export function checkExtractionAlone(request: Extraction): void {
  const details = findSourceErrors(request.selectors, {}, 'selectors');
  if (details.length > 0) {
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  }
  checkExtraction(request);
}

/** Finds formats with a second entry, or with an option of other formats, by their paths. */
export function findFormatErrors({ formats = [] }: { readonly formats?: Extraction['formats'] | undefined }) {
  const names = formats.map(formatNameOf);
  return formats.flatMap((format, index): ErrorDetail[] => {
    const name = formatNameOf(format);
    if (names.indexOf(name) !== index)
      return [{ path: `formats.${index}`, message: `is "${name}" again: ask for each format once` }];
    const hides = typeof format !== 'string' && format.hidden !== undefined;
    return hides && !WORD_FORMAT_NAMES.includes(name)
      ? [{ path: `formats.${index}.hidden`, message: `holds for ${WORD_FORMAT_NAMES.join(', ')} alone` }]
      : [];
  });
}

/** Returns the errors of selectors that do not compile. */
export function selectorErrorsOf(compile: () => void): readonly ErrorDetail[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_SELECTOR') throw error;
    return error.details ?? [];
  }
}
