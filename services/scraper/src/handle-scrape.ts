import type { Engine, ScrapeCommand, ScrapeReply } from '@gleaner/contracts';
import type { AccountPlaces, Tracer } from '@gleaner/service-kit';
import type { RunningScrapes } from './capacity/running-scrapes.ts';
import type { PageReader } from './extract/page-reader.ts';
import { type ClimbDeps, type ClimbOutcome, climb } from './ladder/climb.ts';
import { noteAttempts } from './ladder/note-attempts.ts';
import { extractReused } from './scrape/scrape-page.ts';
import { inStage } from './scrape/stage.ts';

/** Dependencies of `handleScrape`. */
export interface HandleScrapeDeps {
  readonly engine: Engine;
  readonly running: RunningScrapes;
  readonly places: AccountPlaces;
  readonly pageReader: Pick<PageReader, 'noteScrape' | 'read'>;
  readonly climbDeps: ClimbDeps;
  readonly tracer: Tracer;
  /** Called with the reply to every scrape that has finished here. */
  readonly observe: (engine: Engine, reply: ScrapeReply, durationMs: number) => void;
}

/**
 * Handles one scrape. Its stages, in order:
 *
 * 1. it can be cancelled from now on (`RunningScrapes`)
 * 2. it waits for one of the account's places (`AccountPlaces`)
 * 3. it is extracted from the page of an earlier request, if one came with it (`extractReused`); that ends it
 * 4. it climbs the ladder: the first rung, and with antiBot the next ones as long as the site refuses (`climb`)
 * 5. each rung makes its attempts, by one route after the other (`Attempts`)
 * 6. each attempt runs the list of stages of its engine (`scrape/pipeline.ts`)
 * 7. the reply is priced and measured, or the rest of the climb is left to workers of the other engine
 */
export async function handleScrape(
  command: ScrapeCommand,
  { engine, running, places, pageReader, climbDeps, tracer, observe }: HandleScrapeDeps,
  requestSignal: AbortSignal,
): Promise<ClimbOutcome> {
  const startedAt = performance.now();
  pageReader.noteScrape();
  using scrape = running.start({ id: command.requestId }, requestSignal);
  const { signal } = scrape;
  const taking = places.take(command.accountId, signal);
  using _place = await inStage('waiting for a free worker', signal, taking, 'api');
  const waitedMs = queueTimeOf(command);
  const reused = await extractReused(command, { pageReader }, signal);
  const outcome: ClimbOutcome = reused
    ? { kind: 'reply', reply: { ok: true, result: reused } }
    : await climb(command, climbDeps, signal);
  noteAttempts(outcome, { before: command.climb?.attempts, url: command.request.url }, tracer);
  if (outcome.kind !== 'reply') return outcome;
  observe(engine, outcome.reply, performance.now() - startedAt);
  return { kind: 'reply', reply: mentionWait(outcome.reply, waitedMs) };
}

/** Shortest wait that a TIMEOUT mentions. */
const NOTABLE_WAIT_MS = 1000;

/** Returns how long the command has waited for a worker, by the gateway's clock; 0 when an earlier rung took the time. */
function queueTimeOf({ deadlineMs, timeoutMs, climb: earlier }: ScrapeCommand): number {
  return earlier ? 0 : Date.now() - (deadlineMs - timeoutMs);
}

/** Adds the wait to a TIMEOUT: its message names the last stage, which may have had little of the time. */
export function mentionWait(reply: ScrapeReply, waitedMs: number): ScrapeReply {
  if (reply.ok || reply.failure.code !== 'TIMEOUT' || waitedMs < NOTABLE_WAIT_MS) return reply;
  const waited = `Before that, the request waited ${(waitedMs / 1000).toFixed(1)} s for a free worker.`;
  return { ...reply, failure: { ...reply.failure, message: `${reply.failure.message} ${waited}` } };
}
