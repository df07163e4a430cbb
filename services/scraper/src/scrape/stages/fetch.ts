import { defined, mayRepeat } from '@gleaner/contracts';
import type { PlainPage } from '../page.ts';
import { createPlainVisitor } from '../plain-visitor.ts';

/** Sends the request and waits for its response. */
export async function fetchPage(page: PlainPage): Promise<void> {
  const { task, deps, attempt, request, url, outgoing, clock, deadlineMs, signal } = page;
  const { headers: defaults, conditions, ...parts } = outgoing;
  const room = page.held.use(deps.pageMemory.open(task.accountId));
  const { headers = {}, cookies } = request;
  const response = await deps.httpClient.fetchPage(
    {
      url,
      deadlineMs,
      clock,
      ...parts,
      makeRoom: room.grow,
      repeatable: mayRepeat(request),
      headers: { ...withoutGiven(defaults, headers), ...headers, ...conditions },
      ...defined({
        onSent: attempt.noteSent,
        route: attempt.route,
        cookies,
        mayFollow: page.mayLeadTo,
      }),
    },
    signal,
  );
  page.response = response;
  page.source = response;
}

/** Returns the headers except the caller's own, in any spelling. */
function withoutGiven(defaults: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.has(name.toLowerCase())));
}

/** Compares the page with others that are fetched in the same way. */
export function visitPlainly(page: PlainPage): void {
  const { task, deps, attempt, request } = page;
  const { accountId, jobId } = page.reading;
  page.visitor = createPlainVisitor(deps.rung, {
    httpClient: deps.httpClient,
    pageReader: deps.pageReader,
    route: attempt.route,
    country: request.proxy,
    pauseMs: task.pauseMs,
    reading: { accountId, jobId },
  });
}
