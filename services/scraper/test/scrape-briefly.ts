import { AppError, type ScrapeReply, toFailure } from '@gleaner/contracts';

type Failed = Extract<ScrapeReply, { ok: false }>;

/** Longest time of a repeated scrape. */
const MOST_MS = 100_000;

/**
 * Scrapes with a short time limit, and doubles it after an unexpected TIMEOUT: on a busy machine, an earlier stage may use up
 * the time. `isMeant` recognizes the expected TIMEOUT; by default none is expected.
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

/** Returns the reply to a request that timed out before a worker had it. */
function replyOfTimeout(error: unknown): Failed {
  if (!(error instanceof AppError) || error.code !== 'TIMEOUT') throw error;
  return { ok: false, failure: toFailure(error), attempts: [] };
}
