import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError, sharesCredentials } from '@gleaner/contracts';
import type { Got, Request as GotStream, StreamOptions } from 'got';
import { needsBeginningOnly, type ReadScope, readResponseBody } from '../body/read-response-body.ts';
import type { Hop, HttpResponse, HttpStack, RequestSender, SentRequest } from '../http/http-stack.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { HopCookies } from '../request/create-cookie-jar.ts';
import type { StageClock } from '../route/stage-clock.ts';
import { type AttemptOutcome, decideRetry, parseRetryAfter } from './decide-retry.ts';
import { explainFailure } from './explain-failure.ts';
import type { Redirect } from './http-client.ts';
import { isRedirect, nextHop, resolveLocation } from './next-hop.ts';
import { quoteUrl } from './quote-url.ts';

/** Collaborators and limits of one fetch, over all its hops and attempts. */
export interface FetchScope extends ReadScope {
  readonly policy: EgressPolicy;
  readonly sender: RequestSender;
  readonly cookies: HopCookies;
  readonly clock: StageClock;
  readonly limits: ReadScope['limits'] & { readonly maxAttempts: number; readonly maxRedirects: number };
  readonly defaultHeaders: HttpStack['defaultHeaders'];
  readonly redirects: 'follow' | 'answer';
  readonly mayFollow: ((url: URL) => boolean) | undefined;
  readonly repeatable: boolean | undefined;
  readonly onSent: (() => void) | undefined;
}

/** Outcome of a fetch: the last hop, its response, and the redirects that led to it. */
export interface FollowedHops {
  readonly hop: Hop;
  readonly response: HttpResponse;
  /** Empty for a redirect. */
  readonly body: Buffer;
  readonly redirects: readonly Redirect[];
  /** Target of a redirect that may not be followed. */
  readonly redirectsTo: URL | undefined;
}

/** Keeps got from decoding without a cap, reading the bodies of errors, deciding about retries, and sending headers of its own. */
export const GOT_OPTIONS = {
  decompress: false,
  throwHttpErrors: false,
  strictContentLength: false,
  ignoreInvalidCookies: true,
  maxRedirects: Number.MAX_SAFE_INTEGER,
  headers: { 'user-agent': undefined },
  retry: { enforceRetryRules: false },
} as const;

type Settle = { resolve(followed: FollowedHops): void; reject(error: unknown): void };

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set([...SAFE_METHODS, 'PUT', 'DELETE']);
const MAX_DRAIN_MS = 100;

/** A response after which the request is sent again; its body is discarded. */
class RetriedResponse extends Error {
  readonly delayMs: number;

  constructor(delayMs: number) {
    super('The response asks for another attempt.');
    this.delayMs = delayMs;
  }
}

/**
 * One fetch by got, which follows redirects, keeps cookies, repeats attempts and ends with the signal. The requests
 * themselves are sent by the stack, and bodies are read here, within their limits. Rejects with an AppError, or with
 * anything once the signal has aborted.
 */
export class HopSequence implements Disposable {
  readonly #got: Got;
  readonly #scope: FetchScope;
  readonly #redirects: Redirect[] = [];
  #hop: Hop;
  /** Attempts at the current hop, this one included. */
  #attempts = 0;
  /** Bytes of the current hop may have been sent; and all of an answer that says what became of it has come. */
  #isSent = false;
  #isAnswered = false;
  #target: URL | undefined;
  #sent: SentRequest | undefined;
  #response: HttpResponse | undefined;
  /** The stream of the current attempt. */
  #stream: GotStream | undefined;

  constructor(got: Got, firstHop: Hop, scope: FetchScope) {
    this.#got = got;
    this.#hop = firstHop;
    this.#scope = scope;
  }

  /** Fetches the first hop and those that it redirects to. */
  follow(): Promise<FollowedHops> {
    const { url, ...options } = { ...this.#options(), ...optionsOf(this.#hop) };
    return new Promise((resolve, reject) => {
      this.#listen(this.#got.stream(url, options), { resolve, reject });
    });
  }

  /** Ends the last request. */
  [Symbol.dispose](): void {
    this.#stream?.destroy();
    this.#sent?.end();
  }

  #options(): StreamOptions {
    const { cookies, signal, redirects } = this.#scope;
    return {
      signal,
      cookieJar: {
        getCookieString: async (url: string) => cookies.headerFor(new URL(url)),
        setCookie: async (line: string, url: string) => cookies.keep([line], new URL(url)),
      },
      request: (_url, { headers }) => this.#send(headers as OutgoingHttpHeaders),
      followRedirect: redirects === 'follow' && (({ headers }) => this.#mayFollow(headers.location)),
      hooks: { beforeRedirect: [(options) => void Object.assign(options, this.#enterNextHop())] },
      retry: { calculateDelay: ({ error }) => this.#delayAfter(error) },
    };
  }

  /** Handles the events of an attempt. Errors after its head come to the reader of its body. */
  #listen(stream: GotStream, settle: Settle): void {
    this.#stream = stream;
    const fail = (error: unknown) => {
      // An attempt that is repeated fails without consequences.
      if (stream === this.#stream) settle.reject(this.#explain(error));
    };
    let reading = Promise.resolve();
    stream.on('error', fail);
    stream.once('response', () => {
      stream.off('error', fail).on('error', () => {});
      reading = this.#read(stream).then(settle.resolve, fail);
    });
    stream.once('retry', (_count, _error, repeat) => {
      this.#stream = undefined;
      // The bytes that were read are given up first.
      reading.then(() => this.#listen(repeat(), settle)).catch(settle.reject);
    });
  }

  async #read(stream: Readable): Promise<FollowedHops> {
    this.#scope.clock.enter('body');
    const response = this.#currentResponse();
    const body = await readResponseBody({ ...response, body: stream }, this.#scope);
    this.#isAnswered = true;
    return { hop: this.#hop, response, body, redirects: this.#redirects, redirectsTo: this.#target };
  }

  /** Sends the current hop with the cookies of the jar. */
  async #send({ cookie = '' }: OutgoingHttpHeaders): Promise<IncomingMessage> {
    const { sender, clock, signal, defaultHeaders } = this.#scope;
    this.#sent?.end();
    this.#attempts += 1;
    this.#response = undefined;
    const headers = headersFor(this.#hop, String(cookie), defaultHeaders);
    const isRepeatable = this.#isRepeatable;
    const onSent = () => this.#noteSent();
    this.#sent = sender.send({ hop: this.#hop, headers, signal, clock, isRepeatable, onSent });
    const response = await this.#sent.response;
    this.#isAnswered = isRedirect(response.statusCode, response.headers.location);
    const retryInMs = this.#decide(outcomeOf(response));
    const isUnneeded = retryInMs !== undefined || isRedirect(response.statusCode, response.headers.location);
    if (isUnneeded) {
      clock.enter('body');
      await drain(response.body);
      this.#sent.end();
    }
    if (retryInMs !== undefined) throw new RetriedResponse(retryInMs);
    const body = response.body.destroyed ? broken(response.body) : response.body;
    this.#response = { ...response, body: isUnneeded ? Readable.from([]) : body };
    return toGot(this.#response);
  }

  /** Decides about the redirect of the current response. */
  #mayFollow(location: string | undefined): boolean {
    const { limits, mayFollow } = this.#scope;
    if (!isRedirect(this.#currentResponse().statusCode, location)) return false;
    this.#target = this.#checkLocation(location);
    if (mayFollow && !mayFollow(this.#target)) return false;
    if (this.#redirects.length >= limits.maxRedirects)
      throw tooManyRedirects(this.#redirects[0]?.url ?? this.#hop.url, limits.maxRedirects);
    this.#requireOwnBody(this.#target);
    return true;
  }

  /** Throws if a redirect takes the body, which may hold credentials, to an origin that gets none. */
  #requireOwnBody(target: URL): void {
    const { statusCode } = this.#currentResponse();
    const { body, method } = nextHop(this.#hop, statusCode, target);
    if (!body || sharesCredentials(this.#hop.url, target)) return;
    throw new AppError('UPSTREAM_ERROR', {
      message: `${quoteUrl(this.#hop.url)} redirects the ${method} with status ${statusCode} to another origin, ${target.origin}. The body may hold credentials, and was not sent there.`,
      suggestion: 'If you trust that origin with the body, send the request to its URL.',
    });
  }

  #checkLocation(location: string): URL {
    const url = resolveLocation(location, this.#hop.url);
    if (url === undefined) {
      throw new AppError('UPSTREAM_ERROR', {
        message: `${quoteUrl(this.#hop.url)} redirects to something that is not a URL.`,
      });
    }
    try {
      return this.#scope.policy.checkUrl(url);
    } catch (error) {
      throw blameRedirect(error, this.#hop.url.href);
    }
  }

  /** Takes over the hop that the redirect asks for, and returns the options of got that it changes. */
  #enterNextHop() {
    const { statusCode } = this.#currentResponse();
    this.#redirects.push({ url: this.#hop.url.href, statusCode });
    this.#hop = nextHop(this.#hop, statusCode, this.#target ?? this.#hop.url);
    this.#target = undefined;
    this.#attempts = 0;
    this.#isSent = false;
    this.#isAnswered = false;
    return optionsOf(this.#hop);
  }

  /** Returns how long got waits before it repeats a failed attempt; 0 ends the fetch. */
  #delayAfter(error: Error): number {
    const { clock, signal, limits } = this.#scope;
    if (signal.aborted) return 0;
    if (this.#response && needsBeginningOnly(this.#response, limits)) return 0;
    const cause = this.#causeOf(error);
    const delayMs =
      cause instanceof RetriedResponse
        ? cause.delayMs
        : this.#decide({ kind: 'failure', ...explainFailure(cause, this.#hop.url) });
    if (delayMs === undefined) return 0;
    clock.enter('backoff');
    return Math.max(1, delayMs);
  }

  #decide(outcome: AttemptOutcome): number | undefined {
    const { limits, remainingMs } = this.#scope;
    return decideRetry({
      outcome,
      attempts: this.#attempts,
      maxAttempts: limits.maxAttempts,
      mayRepeat: this.#isRepeatable || (this.#scope.repeatable === false && !this.#isSent),
      remainingMs: remainingMs(),
      random: Math.random(),
    });
  }

  #explain(thrown: unknown): unknown {
    if (this.#scope.signal.aborted) return thrown;
    const { error, isTransient } = explainFailure(this.#causeOf(thrown), this.#hop.url);
    // Of a complete head the status is known; what follows may be unreadable for good.
    if (this.isUndecided && (!this.#response || isTransient)) return outcomeUnknown(this.#hop, error);
    const from = this.#redirects.at(-1);
    return from ? blameRedirect(error, from.url) : error;
  }

  /** True if the current hop must not be sent twice, may have been sent, and has no complete answer. */
  get isUndecided(): boolean {
    return this.#scope.repeatable === false && !this.#isRepeatable && this.#isSent && !this.#isAnswered;
  }

  get #isRepeatable(): boolean {
    const { method } = this.#hop;
    return SAFE_METHODS.has(method) || (this.#scope.repeatable ?? IDEMPOTENT_METHODS.has(method));
  }

  #noteSent(): void {
    this.#isSent = true;
    this.#scope.onSent?.();
  }

  /** Returns what an error of got wraps, which holds no headers; of a body that broke, what broke it. */
  #causeOf(thrown: unknown): unknown {
    const isByGot = thrown instanceof Error && 'options' in thrown;
    return isByGot ? (this.#response?.body.errored ?? thrown.cause) : thrown;
  }

  #currentResponse(): HttpResponse {
    if (!this.#response) throw new Error('No response has arrived.');
    return this.#response;
  }
}

/** Returns the error of a request whose answer did not come, and that must not be sent again. */
export function outcomeUnknown({ method, url }: Pick<Hop, 'method' | 'url'>, cause: unknown): AppError {
  const reason = cause instanceof AppError ? ` ${cause.message}` : '';
  return new AppError('OUTCOME_UNKNOWN', {
    message: `The ${method} to ${quoteUrl(url)} was sent, but no complete answer came: it may or may not have taken effect.${reason}`,
    cause,
  });
}

/** Returns what got must know of a hop. It waits for a body to be written unless it is given one. */
function optionsOf({ url, method, body }: Hop): Pick<StreamOptions, 'method' | 'body'> & { url: URL } {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return { url, method: method as 'GET', body: hasBody ? (body ?? new Uint8Array()) : undefined };
}

/** Gives a response the form in which got takes it from a request function. */
function toGot({ statusCode, headers, body }: HttpResponse): IncomingMessage {
  return Object.assign(body, { statusCode, headers }) as IncomingMessage;
}

/** Returns a body that fails as this one did before got could listen to it. */
function broken({ errored }: Readable): Readable {
  return new Readable({
    read() {
      this.destroy(errored ?? new Error('The body ended early.'));
    },
  });
}

function outcomeOf({ statusCode, headers }: HttpResponse): AttemptOutcome {
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'], Date.now());
  return {
    kind: 'response',
    statusCode,
    retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1_000,
  };
}

/** Merges the caller's headers over ours, and the cookies of the caller's header and of the jar, which are newer. */
function headersFor(
  hop: Hop,
  fromJar: string,
  defaultHeaders: HttpStack['defaultHeaders'],
): Record<string, string> {
  const jarNames = new Set(fromJar.split('; ').map(cookieName));
  const own = (hop.headers.cookie ?? '')
    .split(/; */)
    .filter((pair) => pair !== '' && !jarNames.has(cookieName(pair)));
  const cookie = [...own, fromJar].filter((part) => part !== '').join('; ');
  const { cookie: _own, ...headers } = { ...defaultHeaders(hop.url, hop.headers), ...hop.headers };
  return cookie === '' ? headers : { ...headers, cookie };
}

function cookieName(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? '';
}

/** Discards an unneeded body for a moment, so that its connection can be kept. */
async function drain(body: Readable): Promise<void> {
  await finished(body.resume(), { signal: AbortSignal.timeout(MAX_DRAIN_MS) }).catch(() => {});
}

/** Names the URL that sent the fetch to a forbidden one, unless the error names it already. */
function blameRedirect(error: unknown, from: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_URL' || error.source === 'target') return error;
  return new AppError('INVALID_URL', {
    message: `${quoteUrl(from)} redirects to a URL that is not allowed. ${error.message}`,
    suggestion:
      'The site causes this redirect: scrape another page of it, or the public URL where this page ends in a browser. If this service is yours and the target is on a private network, EGRESS_ALLOW can allow it.',
    source: 'target',
    cause: error,
  });
}

function tooManyRedirects(url: URL | string, maxRedirects: number): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `${quoteUrl(url)} redirects more than ${maxRedirects} times, probably in a loop.`,
    suggestion: 'Open the page in a browser and scrape the URL where it ends; it may need cookies.',
  });
}
