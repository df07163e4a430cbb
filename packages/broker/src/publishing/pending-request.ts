import { AppError, afterSilence } from '@gleaner/contracts';
import type { Message } from 'amqplib';
import { unavailable, unconfirmed } from '../connection/broker-errors.ts';

/** The broker confirms within a millisecond or so; longer silence than this means that it is stuck. */
const CONFIRM_TIMEOUT_MS = 2500;

interface PendingOptions {
  readonly queueName: string;
  readonly timeoutMs: number;
  /** Time after the timeout in which a reply is still accepted. */
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onSettled: () => void;
}

/** A request that waits for its reply; settled exactly once: by the reply, an error, the timeout or the caller. */
export class PendingRequest {
  readonly reply: Promise<Message>;
  readonly #options: PendingOptions;
  readonly #startedMs = performance.now();
  readonly #settlers: Omit<PromiseWithResolvers<Message>, 'promise'>;
  #stopWaiting: () => void;
  #isConfirmed = false;

  constructor(options: PendingOptions) {
    const { promise, ...settlers } = Promise.withResolvers<Message>();
    this.reply = promise;
    this.#settlers = settlers;
    this.#options = options;
    options.signal?.addEventListener('abort', this.#onAbort);
    this.#stopWaiting = afterSilence(Math.min(this.#leftMs(), CONFIRM_TIMEOUT_MS), this.#onSilence);
  }

  /** Records that the broker has the request. */
  confirm(): void {
    this.#isConfirmed = true;
  }

  resolve(message: Message): void {
    this.#settle();
    this.#settlers.resolve(message);
  }

  reject(error: unknown): void {
    this.#settle();
    this.#settlers.reject(error);
  }

  #settle(): void {
    this.#stopWaiting();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#options.onSettled();
  }

  readonly #onAbort = (): void => this.reject(this.#options.signal?.reason);

  readonly #onSilence = (): void => {
    const { queueName, timeoutMs } = this.#options;
    if (this.#leftMs() <= 0) this.reject(unconfirmed(timedOut(queueName, timeoutMs)));
    else if (this.#isConfirmed) this.#stopWaiting = afterSilence(this.#leftMs(), this.#onSilence);
    else
      this.reject(
        unconfirmed(
          unavailable(`The broker has not confirmed a request to ${queueName}: it does not answer.`),
        ),
      );
  };

  #leftMs(): number {
    const { timeoutMs, graceMs } = this.#options;
    return Math.ceil(this.#startedMs + timeoutMs + graceMs - performance.now());
  }
}

function timedOut(queueName: string, timeoutMs: number): AppError {
  return new AppError('TIMEOUT', {
    source: 'api',
    message: `No reply from ${queueName} within ${timeoutMs} ms: its worker is busy with it, or none has taken it from the queue yet.`,
    suggestion: 'Raise timeout (at most 120000 ms), or try again when the service is less busy.',
  });
}
