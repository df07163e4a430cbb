import type { Broker, Incoming } from '@gleaner/broker';
import { AppError, type ErrorCode, type PageCommand, type PageOutcome, toFailure } from '@gleaner/contracts';

type Outcome = PageOutcome['outcome'];

/** What a scraper of the test makes of a page; nothing is said when it returns undefined. */
export type PageScript = (work: Incoming<PageCommand>) => Outcome | undefined | Promise<Outcome | undefined>;

/** A scraper on the real broker that does what the test says. */
export interface ScriptedScraper {
  /** The commands that it got, in their order. */
  readonly commands: PageCommand[];
  /** The jobs whose cancellation it heard of. */
  readonly cancelledJobs: string[];
  /** Pages that it works on now, and the most there were at once. */
  readonly load: { current: number; peak: number };
  /** From now on. */
  follow(script: PageScript): void;
  stop(): Promise<void>;
}

/** Takes pages of jobs; by default every page is found. */
export async function startScriptedScraper(broker: Broker, concurrency: number): Promise<ScriptedScraper> {
  const commands: PageCommand[] = [];
  const cancelledJobs: string[] = [];
  const load = { current: 0, peak: 0 };
  let script: PageScript = ({ body }) => found(body);
  const work = broker.consumeWork(
    'pages.http',
    async (incoming) => {
      commands.push(incoming.body);
      load.current += 1;
      load.peak = Math.max(load.peak, load.current);
      const outcome = await script(incoming);
      load.current -= 1;
      if (outcome) await say(broker, incoming.body, outcome);
    },
    { concurrency },
  );
  const hearing = broker.onBroadcast('jobCancellations', ({ jobId }) => void cancelledJobs.push(jobId));
  await broker.whenReady(30_000);
  return {
    commands,
    cancelledJobs,
    load,
    follow: (next) => {
      script = next;
    },
    stop: async () => {
      await Promise.all([work.stop(0), hearing.stop(0)]);
    },
  };
}

/** Publishes what came of a try. */
export async function say(
  broker: Broker,
  { jobId, pageId, attempt }: Pick<PageCommand, 'jobId' | 'pageId' | 'attempt'>,
  outcome: Outcome,
): Promise<void> {
  const [fault] = await broker.publishWork('pages.results', [{ jobId, pageId, attempt, outcome }]);
  if (fault) throw fault;
}

/** A page that was found, whose title is its URL. */
export function found({ request: { url } }: Pick<PageCommand, 'request'>, dataJson?: string): Outcome {
  return {
    kind: 'found',
    url,
    dataJson: dataJson ?? JSON.stringify({ title: url }),
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

/** A page that was not to be had. */
export function failed(code: ErrorCode, retryAfterSeconds?: number): Outcome {
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { kind: 'failed', failure: toFailure(new AppError(code, options)) };
}
