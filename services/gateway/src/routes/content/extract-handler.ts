import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { AppError, defined, type ExtractRequest, LIMITS, type PackedPage } from '@gleaner/contracts';
import type { CommandDeps } from '@gleaner/service-kit';
import { type SharedPlaces, takePlace } from '../../admission/take-place.ts';
import { JsonText } from '../../responses/responses.ts';
import { requireValidUrls } from '../check-urls.ts';
import type { Handler } from '../handler.ts';
import { checkExtractionAlone } from '../scrape/check-extraction.ts';
import { askForContent } from './ask-for-content.ts';

/** Collaborators of the handler. */
export type ExtractDeps = CommandDeps & { readonly extractPlaces: SharedPlaces };

/** Extractions that one account may have at once at a gateway; there are two places more for others. */
export const EXTRACTIONS_PER_ACCOUNT = 4;
export const EXTRACT_PATIENCE_MS = 15_000;

/** Words for the error of an account that has too many pages read at once. */
export const TOO_MANY_EXTRACTIONS = {
  message: `Other pages of the account are being read: ${EXTRACTIONS_PER_ACCOUNT} may be at once.`,
  suggestion: 'Wait for their responses first, or try again in a few seconds.',
};

/** Base of a page without a URL: no relative link can be resolved with it. */
const NO_URL = 'about:blank';

const compress = promisify(brotliCompress);

/** Handles `POST /v1/extract`: check → wait for a place → have a scraper read the page → respond. Nothing is fetched or charged. */
export const extractHandler: Handler<'extract', ExtractDeps> = async (call, deps) => {
  const { html, ...options } = call.body;
  checkHtml(html);
  const { url, ...request } = options;
  if (url !== undefined) checkBase(url);
  checkExtractionAlone(request);
  using _place = await takePlace(call, deps.extractPlaces, TOO_MANY_EXTRACTIONS);
  const page = await pack(html, url);
  const { requestId } = call;
  const task = { type: 'read' as const, requestId, request, ...defined({ url }) };
  const command = { accountId: call.caller.account.id, page, task };
  return new JsonText(await askForContent(command, call.signal, deps));
};

/** Throws PAYLOAD_TOO_LARGE for more HTML than a page may have. */
function checkHtml(html: string): void {
  const bytes = Buffer.byteLength(html);
  if (bytes <= LIMITS.maxPageBytes) return;
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: `html has ${bytes} bytes in UTF-8; at most ${LIMITS.maxPageBytes} are read.`,
    suggestion:
      'Leave out what is not needed, such as scripts, styles and embedded images, or send the part that holds the data.',
    details: [{ path: 'html', message: `must have at most ${LIMITS.maxPageBytes} bytes in UTF-8` }],
  });
}

/** Throws INVALID_URL unless links can be relative to the URL. It is not fetched, so any host will do. */
function checkBase(url: NonNullable<ExtractRequest['url']>): void {
  const parsed = url.length <= LIMITS.maxUrlLength ? URL.parse(url) : null;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return;
  requireValidUrls([
    {
      path: 'url',
      message: `${JSON.stringify(url.slice(0, 100))} is not an absolute URL with http or https.`,
      suggestion: 'Write the address of the page, such as "https://example.com/", or leave url out.',
    },
  ]);
}

async function pack(html: string, baseUrl = NO_URL): Promise<PackedPage> {
  const packed = await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return { kind: 'html', baseUrl, source: packed.toString('base64') };
}
