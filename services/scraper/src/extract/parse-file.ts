import { brotliDecompressSync } from 'node:zlib';
import { AppError, LIMITS, type ParseCommand, renderExtracted, suspectWarnings } from '@gleaner/contracts';
import type { Budget } from '@gleaner/extraction';
import { describeNonDocument, isPdf } from '../classify/describe-content.ts';
import { describePdfProblem } from '../classify/require-pdf-options.ts';
import { requireContent } from '../classify/verdict/require-content.ts';
import { documentKindIn } from '../decode/content-type.ts';
import { decodeBody, sniffEncoding } from '../decode/sniff-encoding.ts';
import { readPdfPage, readSource, wantedOf } from './read-page.ts';
import type { PageValues } from './reading.ts';
import { packContent } from './work-on-snapshot.ts';

/** Bounds of the reading of a file. */
interface Bounds {
  readonly budget: Budget;
  readonly checkpoint: () => void;
}

/** Base of a file, with which no relative link can be resolved. */
const NO_URL = 'about:blank';

/** Types of files by the endings of their names, for callers that send no type. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['xml', 'application/xml'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['pdf', 'application/pdf'],
]);

/**
 * Reads a file that a caller sent as the body of a response, and returns its values, compressed, in base64. Throws
 * UNSUPPORTED_CONTENT for a file without a document, and the errors of `readSource`.
 */
export async function parseFile({ file, request }: ParseCommand, bounds: Bounds): Promise<string> {
  const packed = Buffer.from(file.bytes, 'base64');
  // The reader of PDFs takes no Buffer.
  const body = new Uint8Array(brotliDecompressSync(packed, { maxOutputLength: LIMITS.maxPageBytes }));
  const values = await readDocument(body, file, request, bounds);
  requireContent(values.verdict, { missing: values.missing });
  const warnings = [...suspectWarnings(values.verdict), ...values.warnings];
  return packContent(renderExtracted(values, { success: true }, { warnings }));
}

async function readDocument(
  body: Uint8Array,
  { name, contentType: declared }: ParseCommand['file'],
  request: ParseCommand['request'],
  { budget, checkpoint }: Bounds,
): Promise<PageValues> {
  const contentType = typeOf(name, declared);
  const place = { baseUrl: NO_URL, askedUrl: NO_URL, engine: 'http' as const };
  const wanted = { ...wantedOf(request), ...place };
  if (isPdf(body, contentType)) {
    const problem = describePdfProblem(JSON.stringify(name), request);
    if (problem) throw new AppError('UNSUPPORTED_CONTENT', problem);
    return await readPdfPage({ ...wanted, kind: 'pdf', body, encoding: 'utf-8' }, { budget, checkpoint });
  }
  const other = body.length === 0 ? 'empty' : describeNonDocument(body, contentType);
  if (other !== undefined) throw unsupported(`${JSON.stringify(name)} is ${other}, not a document.`);
  const encoding = sniffEncoding(body, contentType);
  const source = decodeBody(body, encoding);
  const kind = documentKindIn(source, contentType);
  return readSource(source, { ...wanted, kind, documentEncoding: encoding }, budget);
}

/** Returns the declared type of a file, or that of the ending of its name if the declared one says nothing. */
function typeOf(name: string, declared = ''): string | undefined {
  if (declared !== '' && !declared.startsWith('application/octet-stream')) return declared;
  return TYPES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

function unsupported(message: string): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message,
    suggestion: 'Send HTML, XML, JSON, plain text or a PDF, with its type or with the ending of its name.',
  });
}
