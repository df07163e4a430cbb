import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { CREDIT_PRICES, type FirecrawlSource, firecrawlDocument, parseInTurns } from '@gleaner/contracts';
import { takePlace } from '../admission/take-place.ts';
import { expectSet } from '../call.ts';
import { askForContent, CONTENT_MS } from '../routes/content/ask-for-content.ts';
import { TOO_MANY_EXTRACTIONS } from '../routes/content/extract-handler.ts';
import { checkExtractionAlone } from '../routes/scrape/check-extraction.ts';
import { holdCredits } from '../routes/scrape/hold-credits.ts';
import type { Answer } from './answers.ts';
import { translateFile } from './translate-scrape.ts';

const compress = promisify(brotliCompress);

/** Answers `POST /parse`: check → hold a credit → have a scraper read the file → charge. */
export const parse: Answer = async (call, deps) => {
  const { id, caller, signal } = call;
  const { options: request, warnings } = translateFile(call.body, deps.rules);
  checkExtractionAlone(request);
  const { bytes, ...described } = expectSet(call.file, 'file');
  using _place = await takePlace(call, deps.extractPlaces, TOO_MANY_EXTRACTIONS);
  const packed = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  const file = { ...described, bytes: packed.toString('base64') };
  const { credits } = CREDIT_PRICES.base;
  await call.admission;
  const held = await holdCredits({ id, caller, credits, deadlineMs: Date.now() + CONTENT_MS }, deps);
  const content = await askForContent({ accountId: caller.account.id, file, request }, signal, deps).catch(
    async (error: unknown) => {
      await held.release();
      throw error;
    },
  );
  const creditsBreakdown = { base: credits };
  await held.charge(creditsBreakdown);
  const page = (await parseInTurns(content.toString())) as Omit<FirecrawlSource, 'metadata'>;
  const metadata = {
    url: described.name,
    finalUrl: described.name,
    statusCode: 200,
    timestamp: deps.clock.now().toISOString(),
    credits,
    creditsBreakdown,
  };
  return { success: true, data: firecrawlDocument({ ...page, metadata }, { warnings }) };
};
