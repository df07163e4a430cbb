import type { Readable, Writable } from 'node:stream';

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const ANSWER_WITHIN_MS = 15_000;

/** Commands of the DevTools protocol to a browser, over the pipes of `--remote-debugging-pipe`: each message ends in a zero byte. */
export class DevTools {
  readonly #out: Writable;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #held: Buffer = Buffer.alloc(0);

  constructor(out: unknown, incoming: unknown) {
    this.#out = out as Writable;
    this.#out.on('error', () => {});
    (incoming as Readable).on('data', (chunk: Buffer) => this.#take(chunk)).on('error', () => {});
  }

  /** Sends a command, to the browser or to a page of it. Rejects with the error of the browser, or without an answer in time. */
  async send<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const timer = setTimeout(
      () => answer.reject(new Error(`The browser does not answer ${method}.`)),
      ANSWER_WITHIN_MS,
    );
    this.#out.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    try {
      return (await answer.promise) as Result;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  #take(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    for (let end = this.#held.indexOf(0); end !== -1; end = this.#held.indexOf(0)) {
      const { id, result, error } = JSON.parse(this.#held.toString('utf8', 0, end)) as Answer;
      this.#held = this.#held.subarray(end + 1);
      const answer = this.#waiting.get(id ?? 0);
      if (error) answer?.reject(new Error(error.message));
      else answer?.resolve(result);
    }
  }
}
