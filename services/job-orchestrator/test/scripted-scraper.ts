import type { Broker, Incoming } from '@gleaner/broker';
import {
  AppError,
  defined,
  type ErrorCode,
  type Extracted,
  LARGE_RESULT_LENGTH,
  lengthOfPage,
  type PageCommand,
  type PageKind,
  type PageOutcome,
  toFailure,
} from '@gleaner/contracts';
import { untilReady } from '@gleaner/test-kit';

type Outcome = PageOutcome['outcome'];

/** A page for a script, with all pages of its lane. */
export type ScriptedPage = Incoming<PageCommand> & { readonly lane: readonly PageCommand[] };

/** Returns the outcome of a page in a test; nothing is reported if it returns undefined. */
export type PageScript = (work: ScriptedPage) => Outcome | undefined | Promise<Outcome | undefined>;

/** A scraper on the real broker that follows a test's script. */
export interface ScriptedScraper {
  /** Received commands, in order. */
  readonly commands: PageCommand[];
  /** Jobs whose cancellation was broadcast to it. */
  readonly cancelledJobs: string[];
  /** Lanes at work now, and their highest number so far. */
  readonly load: { current: number; peak: number };
  /** Replaces the script. */
  follow(script: PageScript): void;
  stop(): Promise<void>;
}

/** Starts a scripted scraper; by default every page is found. */
export async function startScriptedScraper(broker: Broker, concurrency: number): Promise<ScriptedScraper> {
  const commands: PageCommand[] = [];
  const cancelledJobs: string[] = [];
  const load = { current: 0, peak: 0 };
  let script: PageScript = ({ body }) => found(body);
  const work = broker.consumeWork(
    'pages.http',
    async (incoming) => {
      load.current += 1;
      load.peak = Math.max(load.peak, load.current);
      let isAtWork = true;
      const leave = () => {
        if (isAtWork) load.current -= 1;
        isAtWork = false;
      };
      const lane = pagesOf(incoming.body);
      for (const body of lane) {
        if (cancelledJobs.includes(body.jobId)) break;
        commands.push(body === lane[0] ? incoming.body : body);
        const outcome = await script({ ...incoming, body, lane });
        // Once the last outcome is known, the next lane may arrive before this one hears that the broker has it.
        if (body === lane.at(-1)) leave();
        if (outcome) await report(broker, body, outcome);
      }
      leave();
    },
    { concurrency },
  );
  const listening = broker.onBroadcast('jobCancellations', ({ jobId }) => void cancelledJobs.push(jobId));
  await untilReady(broker);
  return {
    commands,
    cancelledJobs,
    load,
    follow: (next) => {
      script = next;
    },
    stop: async () => {
      await Promise.all([work.stop(0), listening.stop(0)]);
    },
  };
}

/** Returns the pages of a lane, each as a command of its own. */
function pagesOf({ further = [], ...first }: PageCommand): PageCommand[] {
  const pages = further.map(({ url, validators, ...page }) => ({
    ...first,
    ...page,
    request: { ...first.request, url },
    ...(first.crawl && { crawl: { ...first.crawl, ...defined({ validators }) } }),
  }));
  return [first, ...pages];
}

/** Publishes the outcome of an attempt. */
export async function report(
  broker: Broker,
  { jobId, pageId, attempt }: Pick<PageCommand, 'jobId' | 'pageId' | 'attempt'>,
  outcome: Outcome,
): Promise<void> {
  const queue = lengthOfPage(outcome) > LARGE_RESULT_LENGTH ? 'pages.large-results' : 'pages.results';
  const [error] = await broker.publishWork(queue, [{ jobId, pageId, attempt, outcome }]);
  if (error) throw error;
}

/** Returns the outcome of a page that was found; by default its title is its URL. */
export function found(command: Pick<PageCommand, 'request'>, dataJson?: string): Outcome {
  return foundParts(command, { dataJson: dataJson ?? JSON.stringify({ title: command.request.url }) });
}

/** Returns the outcome of a found page of this kind. */
export function foundAs(page: PageKind, command: Pick<PageCommand, 'request'>, dataJson?: string): Outcome {
  const verdict = { page, basis: 'observed' as const, signals: [] };
  return { ...found(command, dataJson), verdict } as Outcome;
}

/** Returns the outcome of a page of which this was extracted. */
export function foundParts(
  { request: { url } }: Pick<PageCommand, 'request'>,
  extracted: Extracted,
): Outcome {
  return {
    kind: 'found',
    url,
    ...extracted,
    warnings: [],
    finalUrl: url,
    statusCode: 200,
    timestamp: '2026-01-31T12:00:00.000Z',
    engine: 'http',
    attempts: [{ engine: 'http', statusCode: 200, outcome: 'success', durationMs: 5 }],
    price: { base: 1 },
    durationMs: 5,
  };
}

/** Returns the outcome of a page that failed; by the target's doing when a status of it is given. */
export function failed(code: ErrorCode, retryAfterSeconds?: number, targetStatusCode?: number): Outcome {
  const error = new AppError(code, {
    ...defined({ retryAfterSeconds }),
    ...(targetStatusCode !== undefined && { source: 'target' as const, targetStatusCode }),
  });
  return { kind: 'failed', failure: toFailure(error) };
}
