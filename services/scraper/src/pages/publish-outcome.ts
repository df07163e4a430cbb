import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type FoundLink,
  LARGE_RESULT_LENGTH,
  lengthOfPage,
  type PageCommand,
  type PageFound,
  type PageOutcome,
  type PageWithScreenshot,
  toFailure,
} from '@gleaner/contracts';
import { overdueAtMsOf } from './lane.ts';
import type { OutcomeSender } from './outcome-sender.ts';

/** Report to the orchestrator on one attempt. */
export type PageReport =
  | { readonly outcome: PageOutcome['outcome'] }
  | { readonly outcome: PageFound; readonly screenshot: string };

/** Collaborators of publishing, and whether the outcome is the last of its lane. */
export interface PublishDeps {
  readonly broker: Pick<Broker, 'publishWork'>;
  readonly outcomes: OutcomeSender;
  /** Aborted when the process is about to stop. */
  readonly stopping: AbortSignal;
  readonly isLast: boolean;
}

const RETRY_MS = 500;
/** An outcome is published for at least this long, even if the page is overdue by then. */
const PUBLISH_AT_LEAST_MS = 10_000;

/**
 * Publishes until the broker has the outcome, the orchestrator has given up the attempt, or the process stops. An outcome
 * that fits into no message becomes a failure.
 */
export async function publishOutcome(
  command: PageCommand,
  report: PageReport,
  { broker, outcomes, stopping, isLast }: PublishDeps,
): Promise<void> {
  const { jobId, pageId, attempt } = command;
  const giveUpAtMs = Math.max(overdueAtMsOf(command), Date.now() + PUBLISH_AT_LEAST_MS);
  let body = { jobId, pageId, attempt, ...report };
  for (;;) {
    const error = await publishOnce(body, { broker, outcomes, isLast });
    if (!error) return;
    if (error.code === 'PAYLOAD_TOO_LARGE') {
      const failure = toFailure(tooLarge(error));
      body = { jobId, pageId, attempt, outcome: { kind: 'failed', failure } };
      continue;
    }
    if (stopping.aborted) throw error;
    if (Date.now() > giveUpAtMs) return;
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Publishes an outcome to the queue for its size; small ones go together. */
async function publishOnce(
  body: PageOutcome | PageWithScreenshot,
  { broker, outcomes, isLast }: Omit<PublishDeps, 'stopping'>,
): Promise<AppError | undefined> {
  if ('screenshot' in body) return (await broker.publishWork('pages.screenshots', [body]))[0];
  if (lengthOf(body.outcome) <= LARGE_RESULT_LENGTH) return await outcomes.publish(body, { isLast });
  return (await broker.publishWork('pages.large-results', [body]))[0];
}

/** Returns the number of characters of the parts of an outcome that may be large. */
function lengthOf(outcome: PageOutcome['outcome']): number {
  switch (outcome.kind) {
    case 'found':
      return lengthOfPage(outcome) + lengthOfLinks(outcome.crawl?.links ?? []);
    case 'sitemap':
      return lengthOfLinks(outcome.links);
    case 'robots':
      return outcome.rules.reduce((sum, { pattern }) => sum + pattern.length, 0);
    default:
      return lengthOfPage(outcome);
  }
}

function lengthOfLinks(links: readonly FoundLink[]): number {
  return links.reduce((sum, { url, key }) => sum + url.length + key.length, 0);
}

function tooLarge(cause: AppError): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The result of the page, with its screenshot, is too large to store. ${cause.message}`,
    suggestion: 'Use fewer or narrower selectors, fewer formats, or no screenshot.',
    cause,
  });
}
