import { defined, LANE_MS, type PageCommand, type PageOutcome } from '@gleaner/contracts';

/** Returns the pages of a lane, each as a command of its own. */
export function pagesOf({ further = [], ...first }: PageCommand): PageCommand[] {
  const { crawl, request, reuseKey: _key, kept: _kept, ...shared } = first;
  const crawlOf = (validators: NonNullable<PageCommand['crawl']>['validators']) => {
    if (!crawl) return {};
    const { validators: _validators, ...rest } = crawl;
    return { crawl: { ...rest, ...defined({ validators }) } };
  };
  return [
    first,
    ...further.map(({ url, validators, ...page }) => ({
      ...shared,
      ...page,
      ...crawlOf(validators),
      request: { ...request, url },
    })),
  ];
}

/** Returns pages of one lane as its message. */
export function laneOf(first: PageCommand, rest: readonly PageCommand[]): PageCommand {
  if (rest.length === 0) return first;
  const further = rest.map(({ pageId, attempt, request, reuseKey, crawl }) => ({
    pageId,
    attempt,
    url: request.url,
    ...defined({ reuseKey }),
    ...(crawl?.validators && { validators: crawl.validators }),
  }));
  return { ...first, further };
}

/** Returns the outcome of a lane whose worker died. */
export function lostOf({ further }: PageCommand): PageOutcome['outcome'] {
  if (!further) return { kind: 'lost' };
  return { kind: 'lost', further: further.map(({ pageId, attempt }) => ({ pageId, attempt })) };
}

/** Returns when the orchestrator dispatches pages again that have no outcome. */
export function overdueAtMsOf({ startBeforeMs, timeoutMs, further }: PageCommand): number {
  return startBeforeMs + (further ? LANE_MS : 0) + timeoutMs;
}
