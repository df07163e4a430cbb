import { AppError, type ScrapeReply, toFailure } from '@gleaner/contracts';

type Failed = Extract<ScrapeReply, { ok: false }>;

/** No scrape after the first is given more time. */
const MOST_MS = 100_000;

/**
 * Scrapes with a short time, and again with twice the time while it is over too early: on a busy machine, an
 * earlier stage than the one that is meant may use it up. `isMeant` tells whether a TIMEOUT is the expected one; by
 * default none is.
 */
export async function scrapeBriefly(
  scrape: (timeoutMs: number) => Promise<ScrapeReply>,
  timeoutMs: number,
  isMeant: (failed: Failed) => boolean = () => false,
): Promise<ScrapeReply> {
  const reply = await scrape(timeoutMs).catch(replyOfTimeout);
  const isTooEarly = !reply.ok && reply.failure.code === 'TIMEOUT' && !isMeant(reply);
  if (!isTooEarly || timeoutMs * 2 > MOST_MS) return reply;
  return await scrapeBriefly(scrape, timeoutMs * 2, isMeant);
}

/** Returns the reply to a request whose time was over before a worker had it. */
function replyOfTimeout(error: unknown): Failed {
  if (!(error instanceof AppError) || error.code !== 'TIMEOUT') throw error;
  return { ok: false, failure: toFailure(error), attempts: [] };
}
