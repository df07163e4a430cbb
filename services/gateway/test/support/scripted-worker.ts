import type { Broker, Incoming, Subscription } from '@gleaner/broker';
import {
  AppError,
  type ErrorCode,
  type ScrapeCommand,
  type ScrapeReply,
  type ScrapeResult,
  toFailure,
} from '@gleaner/contracts';
import { untilReady } from '@gleaner/test-kit';

/** Handles a command for the scripted worker. */
export type Script = (command: Incoming<ScrapeCommand>) => ScrapeReply | Promise<ScrapeReply>;

/** A worker on the real broker that follows a script of the test. */
export interface ScriptedWorker {
  /** Commands that it received, in order. */
  readonly commands: ScrapeCommand[];
  /** Request ids of the cancellations that it received. */
  readonly cancellations: string[];
  /** Replaces the script. */
  follow(script: Script): void;
  /** Restores the first script, which finds every page, and clears the records. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts a worker on a queue; by default it finds every page. */
export async function startScriptedWorker(
  broker: Broker,
  queue: 'scrape.http' | 'scrape.browser' = 'scrape.http',
): Promise<ScriptedWorker> {
  const commands: ScrapeCommand[] = [];
  const cancellations: string[] = [];
  let script: Script = () => found();
  const work = broker.respond(
    queue,
    async (incoming) => {
      commands.push(incoming.body);
      return await script(incoming);
    },
    { concurrency: 200 },
  );
  const hearing = broker.onBroadcast('cancellations', async (cancellation) => {
    if ('requestId' in cancellation) cancellations.push(cancellation.requestId);
  });
  await untilReady(broker);
  return {
    commands,
    cancellations,
    follow: (next) => {
      script = next;
    },
    reset: () => {
      script = () => found();
      commands.length = 0;
      cancellations.length = 0;
    },
    stop: async () => {
      await Promise.all([work, hearing].map((subscription: Subscription) => subscription.stop(0)));
    },
  };
}

/** Does not reply until the request is cancelled. */
export const neverReplies: Script = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Returns the reply for a page that was found, with these differences. */
export function found(differences: Partial<ScrapeResult> = {}): ScrapeReply {
  return { ok: true, result: { dataJson: '{"title":"A page"}', ...PAGE, ...differences } };
}

/** Returns the reply for a page of which only formats were requested. */
export function foundFormats(formatsJson: string): ScrapeReply {
  return { ok: true, result: { formatsJson, ...PAGE } };
}

const PAGE: ScrapeResult = {
  warnings: [],
  finalUrl: 'https://example.com/',
  statusCode: 200,
  timestamp: '2026-01-31T12:00:00.000Z',
  engine: 'http',
  attempts: [{ engine: 'http', statusCode: 200, outcome: 'success', durationMs: 12 }],
  price: { base: 1 },
};

/** Returns the reply for a page that failed. */
export function failed(
  code: ErrorCode,
  options: ConstructorParameters<typeof AppError>[1] = {},
): ScrapeReply {
  const attempts = [{ engine: 'http' as const, outcome: code, durationMs: 12 }];
  return { ok: false, failure: toFailure(new AppError(code, options)), attempts };
}
