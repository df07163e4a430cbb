import {
  AppError,
  MAP_DEFAULTS,
  type MapReply,
  type MapRequest,
  worstCreditsOfMap,
} from '@gleaner/contracts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { findUrlError, requireValidUrls, type UrlRules } from '../check-urls.ts';
import type { CheckedCall } from '../handler.ts';
import { type CrawlRules, findPatternErrors } from '../jobs/crawl/check-crawl.ts';
import { broadcastCancellation, GRACE_MS, type WorkerDeps } from '../scrape/ask-worker.ts';
import { type ChargeDeps, holdCredits } from '../scrape/hold-credits.ts';

type MapRules = UrlRules & Pick<CrawlRules, 'mayIgnoreRobots'>;

/** Collaborators of mapping sites. */
export type MapDeps = WorkerDeps & ChargeDeps & { readonly rules: MapRules };

/** Call that maps a site. */
export type MapCall = Omit<CheckedCall<'map'>, 'params' | 'query' | 'headers'>;

/** Maps a site: check → find a worker → hold credits → have a scraper map it → charge its pages. */
export async function mapSite(
  { id, caller, body: request, arrivedAtMs, signal, admission }: MapCall,
  deps: MapDeps,
): Promise<MapReply> {
  await admission;
  await checkMapRequest(request, deps.rules);
  await requireMapper(deps);
  const deadlineMs = arrivedAtMs + (request.timeout ?? MAP_DEFAULTS.timeout);
  const credits = worstCreditsOfMap(request);
  const held = await holdCredits({ id, caller, credits, deadlineMs, operation: 'map' }, deps);
  const reply = await askMapper(request, { id, caller, signal, deadlineMs }, deps).catch(
    async (error: unknown) => {
      await held.release();
      throw error;
    },
  );
  const { pages } = reply;
  await (pages > 0 ? held.charge({ base: pages }) : held.release());
  return reply;
}

/** Has a scraper map a site until the deadline, or until the caller has gone. */
export async function askMapper(
  request: MapRequest,
  {
    id: requestId,
    caller,
    signal,
    deadlineMs,
  }: Pick<MapCall, 'id' | 'caller' | 'signal'> & { readonly deadlineMs: number },
  deps: WorkerDeps,
): Promise<MapReply> {
  const timeoutMs = Math.max(1, deadlineMs - Date.now());
  const command = { requestId, accountId: caller.account.id, timeoutMs, request };
  using _cancellation = broadcastCancellation(requestId, signal, deps);
  return await deps.broker.request('maps.commands', command, { deadlineMs, graceMs: GRACE_MS, signal });
}

/** Throws INVALID_URL, or INVALID_REQUEST with every error of the options. */
export async function checkMapRequest(request: MapRequest, rules: MapRules): Promise<void> {
  requireValidUrls(findUrlError('url', request.url, rules));
  const { depth, sitemap, robots } = request;
  const checks: (readonly [isWrong: boolean, path: string, message: string])[] = [
    [
      sitemap === 'only' && depth !== undefined && depth > 0,
      'depth',
      'must be 0 or left out with "sitemap": "only", which reads no pages',
    ],
    [
      sitemap === 'skip' && depth === 0,
      'depth',
      'must be 1 or 2 with "sitemap": "skip": nothing would be read',
    ],
    [
      robots === 'ignore' && !rules.mayIgnoreRobots,
      'robots',
      'must be "obey" or left out: the operator of this service does not allow ignoring robots.txt',
    ],
  ];
  const details = [
    ...checks.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : [])),
    ...(await findPatternErrors(request, '')),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}

/** Throws SERVICE_UNAVAILABLE when no scraper maps sites. */
export async function requireMapper({ broker }: WorkerDeps): Promise<void> {
  if ((await broker.consumerCount('maps.commands')) > 0) return;
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'No scraper that maps sites is running.',
    suggestion:
      'Try again in a moment. If you operate this installation, start a scraper with http in ENGINES.',
    retryAfterSeconds: 5,
  });
}
