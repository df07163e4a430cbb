import { AppError, type ErrorDetail, formatNameOf, type ScrapeOptions } from '@gleaner/contracts';
import { planFormats, planSelectors } from '@gleaner/extraction';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { findSourceErrors } from './find-capture-errors.ts';

/** The options that say what to extract from a page. */
type Extraction = Pick<ScrapeOptions, 'selectors' | 'formats'>;

/**
 * Throws INVALID_REQUEST for formats that are named twice, and INVALID_SELECTOR with the errors of all selectors, those of
 * formats included.
 */
export function checkExtraction({ selectors, formats }: Extraction): void {
  const repeated = findRepeatedFormats({ formats });
  if (repeated.length > 0) {
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(repeated), details: repeated });
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

/** Finds formats that are named again, by their paths. */
export function findRepeatedFormats({
  formats = [],
}: {
  readonly formats?: Extraction['formats'] | undefined;
}) {
  const names = formats.map(formatNameOf);
  return names.flatMap((name, index): ErrorDetail[] => {
    const isFirst = names.indexOf(name) === index;
    return isFirst
      ? []
      : [{ path: `formats.${index}`, message: `is "${name}" again: ask for each format once` }];
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
