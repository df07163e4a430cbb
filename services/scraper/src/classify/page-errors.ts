import { AppError, LIMITS } from '@gleaner/contracts';

/** The renderer process has ended. */
export function pageCrashed(): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: 'The page crashed its browser tab, most likely because it used too much memory.',
    suggestion: 'Scrape the page without render, or scrape a smaller page with the same content.',
  });
}

/** More bytes of the document arrived than may be read. */
export function documentTooLarge(): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The document is larger than ${LIMITS.maxPageBytes / 1_048_576} MiB.`,
    suggestion: 'Scrape a smaller page with the same content.',
  });
}

/** A script of the page closed its window. */
export function windowClosed(): AppError {
  return new AppError('UPSTREAM_ERROR', { message: 'The page closed its own window.' });
}

/** The page navigates without end. */
export function pageNeverStays(lastUrl: string, maxNavigations: number): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `The page navigated more than ${maxNavigations} times without staying (last: ${lastUrl.slice(0, 200)}).`,
    suggestion: 'Open the page in a browser and scrape the URL where it stays; it may need cookies.',
  });
}
