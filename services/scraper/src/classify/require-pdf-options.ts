import {
  type AppErrorOptions,
  type ErrorDetail,
  formatNameOf,
  PDF_FORMAT_NAMES,
  type ScrapeOptions,
} from '@gleaner/contracts';
import { quoteUrl } from '@gleaner/egress';
import { noDocument } from './no-page.ts';

/** The response that brought a PDF. */
interface PdfResponse {
  readonly finalUrl: string;
  readonly statusCode: number;
}

/**
 * Throws UNSUPPORTED_CONTENT with every part of a request that a PDF does not have: selectors, and formats of markup. For a
 * crawl, the PDF is then no document.
 */
export function requirePdfOptions(request: ScrapeOptions, { finalUrl, statusCode }: PdfResponse): void {
  const problem = describePdfProblem(quoteUrl(finalUrl), request);
  if (problem) throw noDocument('application/pdf', { ...problem, targetStatusCode: statusCode });
}

/** Describes the parts of a request that a PDF does not have; undefined if it has them all. */
export function describePdfProblem(subject: string, request: ScrapeOptions): AppErrorOptions | undefined {
  const details = [...selectorErrors(request), ...(request.formats ?? []).flatMap(formatErrors)];
  if (details.length === 0) return undefined;
  const paths = details.map(({ path }) => path).join(', ');
  return {
    message: `${subject} is a PDF, which does not have what was asked for: ${paths}.`,
    suggestion: `Ask for formats that PDFs have, and no selectors: ${PDF_FORMAT_NAMES.join(', ')}.`,
    details,
  };
}

function selectorErrors({ selectors }: ScrapeOptions): readonly ErrorDetail[] {
  if (selectors === undefined) return [];
  return [{ path: 'selectors', message: 'cannot be used on a PDF, which has no elements' }];
}

function formatErrors(format: NonNullable<ScrapeOptions['formats']>[number], index: number): ErrorDetail[] {
  const path = `formats.${index}`;
  const name = formatNameOf(format);
  if (!PDF_FORMAT_NAMES.includes(name)) return [{ path, message: `"${name}" is not read from a PDF` }];
  if (typeof format === 'string' || format.type === 'article') return [];
  return (['include', 'exclude'] as const)
    .filter((option) => format[option] !== undefined)
    .map((option) => ({
      path: `${path}.${option}`,
      message: 'cannot be used on a PDF, which has no elements',
    }));
}
