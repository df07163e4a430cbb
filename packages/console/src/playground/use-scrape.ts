import { GleanerError, type ResultOf, type ScrapeRequest } from '@gleaner/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { gleaner, namedBy } from '../api/gleaner.ts';
import { remember } from './history.ts';
import { HISTORY_QUERY } from './history-list.tsx';

/** Returns a mutation that scrapes a page under an id of its own, and keeps the request in the history. */
export function useScrape() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: ScrapeRequest) => {
      const startedAt = performance.now();
      const requestId = createRequestId();
      try {
        const answer = await gleaner.call('scrape', {
          body: withStepScreenshots(body),
          ...namedBy(requestId),
        });
        await remember(body, { code: 'success', durationMs: performance.now() - startedAt });
        return { answer, requestId };
      } catch (error) {
        await remember(body, { code: codeOf(error), durationMs: performance.now() - startedAt });
        throw error;
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: HISTORY_QUERY }),
  });
}

/** Asks for an image after each step, if there are any. */
function withStepScreenshots(body: ScrapeRequest): ScrapeRequest {
  return body.actions && body.actions.length > 0 ? { ...body, stepScreenshots: true } : body;
}

/** Returns an id by which the trace of the scrape is found. */
function createRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'error';
}

/** Returns the steps of the last scrape, and the images after them. */
export function stepsSeenIn({
  variables,
  data,
  error,
}: {
  readonly variables: ScrapeRequest | undefined;
  readonly data: { readonly answer: ResultOf<'scrape'> } | undefined;
  readonly error: unknown;
}) {
  const images = error instanceof GleanerError ? error.stepScreenshots : data?.answer.stepScreenshots;
  return { steps: variables?.actions ?? [], images: images ?? [] };
}
