import type { Broker, Incoming, Subscription } from '@gleaner/broker';
import {
  AppError,
  type ErrorCode,
  type ScrapeCommand,
  type ScrapeReply,
  type ScrapeResult,
  toFailure,
} from '@gleaner/contracts';

/** What a worker of the test does with a command. */
export type Script = (command: Incoming<ScrapeCommand>) => ScrapeReply | Promise<ScrapeReply>;

/** A worker on the real broker that does what the test says. */
export interface ScriptedWorker {
  /** The commands that it got, in their order. */
  readonly commands: ScrapeCommand[];
  /** The request ids of the cancellations that it heard. */
  readonly cancellations: string[];
  /** From now on. */
  follow(script: Script): void;
  /** Answers everything with a page again, and forgets what it saw. */
  reset(): void;
  stop(): Promise<void>;
}

/** Listens to `scrape.http`, or to another queue; by default every page is found. */
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
  await broker.whenReady(30_000);
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

/** Says nothing until nobody waits any more. */
export const saysNothing: Script = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A page that was found, with these differences. */
export function found(differences: Partial<ScrapeResult> = {}): ScrapeReply {
  const result: ScrapeResult = {
    dataJson: '{"title":"A page"}',
    warnings: [],
    finalUrl: 'https://example.com/',
    statusCode: 200,
    timestamp: '2026-01-31T12:00:00.000Z',
    engine: 'http',
    attempts: [{ engine: 'http', statusCode: 200, outcome: 'success', durationMs: 12 }],
    price: { base: 1 },
    ...differences,
  };
  return { ok: true, result };
}

/** A page that was not to be had. */
export function failed(
  code: ErrorCode,
  options: ConstructorParameters<typeof AppError>[1] = {},
): ScrapeReply {
  const attempts = [{ engine: 'http' as const, outcome: code, durationMs: 12 }];
  return { ok: false, failure: toFailure(new AppError(code, options)), attempts };
}
