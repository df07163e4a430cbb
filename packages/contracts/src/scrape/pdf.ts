import { LIMITS } from '../limits.ts';
import { Type } from '../type.ts';
import type { FormatName } from './formats.ts';

/** Formats that are read from a PDF. */
export const PDF_FORMAT_NAMES: readonly FormatName[] = ['markdown', 'text', 'links', 'metadata'];

/** The option `pdf`. */
export const PdfOptionsSchema = Type.Object(
  {
    maxPages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.maxPdfPages,
        description: `Pages to read; a longer PDF has the warning PDF_CUT. Default ${LIMITS.defaultPdfPages}.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    description: `How a PDF is read, should the URL lead to one. From a PDF come the formats ${PDF_FORMAT_NAMES.join(', ')}, or title, text and links; a request with selectors or other formats fails on it, and a crawl with them skips it. Without effect on other pages.`,
    'x-expected': 'an object such as {"maxPages": 100}',
  },
);
