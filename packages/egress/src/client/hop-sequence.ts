import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { AppError, sharesCredentials } from '@gleaner/contracts';
import type { ExtendOptions, Got, Request as GotStream, Options, StreamOptions } from 'got';
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

/**
 * Keeps got from decoding without a cap, reading the bodies of errors, and sending headers of its own; and lets the fetch, which
 * is the context of a request, send its hops and decide about them. Got merges and checks options for each request: these once.
 */
export const GOT_OPTIONS = {
  decompress: false,
  throwHttpErrors: false,
  strictContentLength: false,
  ignoreInvalidCookies: true,
  maxRedirects: Number.MAX_SAFE_INTEGER,
  headers: { 'user-agent': undefined },
  followRedirect: ({ headers, request }) => fetchOf(request.options).mayFollow(headers.location),
  hooks: {
    beforeRequest: [async (sent) => (await fetchOf(sent).send(sent.headers)) as never],
    beforeRedirect: [(options) => void Object.assign(options, fetchOf(options).enterNextHop())],
  },
  retry: {
    enforceRetryRules: false,
    calculateDelay: ({ error }) => fetchOf(error.options).delayAfter(error),
  },
} as const satisfies ExtendOptions;

/** Returns the fetch that a request belongs to. */
function fetchOf({ context }: Pick<Options, 'context'>): HopSequence {
  return context.fetch as HopSequence;
}

type Settle = { resolve(followed: FollowedHops): void; reject(error: unknown): void };

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set([...SAFE_METHODS, 'PUT', 'DELETE']);
const MAX_DRAIN_MS = 100;
const EMPTY = Buffer.alloc(0);

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
  /** Bytes of the current hop may have been sent. */
  #isSent = false;
  /** The whole answer to the current hop has come. */
  #isAnswered = false;
  #target: URL | undefined;
  #sent: SentRequest | undefined;
  #response: HttpResponse | undefined;
  #body: Buffer = EMPTY;
  /** The stream of the current attempt. */
  #stream: GotStream | undefined;

  constructor(got: Got, firstHop: Hop, scope: FetchScope) {
    this.#got = got;
    this.#hop = firstHop;
    this.#scope = scope;
  }

  /** Fetches the first hop and the hops of its redirects. */
  follow(): Promise<FollowedHops> {
    const { url, ...hop } = optionsOf(this.#hop);
    const options = { ...hop, signal: this.#scope.signal, cookieJar: this, context: { fetch: this } };
    return new Promise((resolve, reject) => {
      this.#listen(this.#got.stream(url, options), { resolve, reject });
    });
  }

  /** Ends the last request. */
  [Symbol.dispose](): void {
    this.#stream?.destroy();
    this.#sent?.end();
  }

  /** Returns the cookies for a hop, to got. */
  async getCookieString(): Promise<string> {
    return this.#scope.cookies.headerFor(this.#hop.url);
  }

  /** Keeps a cookie of the current response. */
  async setCookie(line: string): Promise<void> {
    this.#scope.cookies.keep([line], this.#hop.url);
  }

  /** Handles the events of an attempt. */
  #listen(stream: GotStream, settle: Settle): void {
    this.#stream = stream;
    stream.on('error', (error) => {
      // An attempt that is repeated fails without consequences.
      if (stream === this.#stream) settle.reject(this.#explain(error));
    });
    stream.once('response', () => settle.resolve(this.#followed()));
    stream.once('retry', (_count, _error, repeat) => {
      this.#stream = undefined;
      this.#listen(repeat(), settle);
    });
  }

  #followed(): FollowedHops {
    return {
      hop: this.#hop,
      response: this.#currentResponse(),
      body: this.#body,
      redirects: this.#redirects,
      redirectsTo: this.#target,
    };
  }

  /** Sends the current hop with the cookies of the jar and reads its response. Returns it to got without its body. */
  async send({ cookie = '' }: OutgoingHttpHeaders): Promise<IncomingMessage> {
    const { sender, clock, signal, defaultHeaders } = this.#scope;
    this.#sent?.end();
    this.#attempts += 1;
    this.#response = undefined;
    this.#body = EMPTY;
    const headers = headersFor(this.#hop, String(cookie), defaultHeaders);
    const isRepeatable = this.#isRepeatable;
    const onSent = () => this.#noteSent();
    this.#sent = sender.send({ hop: this.#hop, headers, signal, clock, isRepeatable, onSent });
    const response = await this.#sent.response;
    // Ignore errors after the body has been read or given up.
    response.body.on('error', () => {});
    this.#isAnswered = isRedirect(response.statusCode, response.headers.location);
    const retryInMs = this.#decide(outcomeOf(response));
    clock.enter('body');
    if (retryInMs !== undefined || this.#isAnswered) {
      await drain(response.body);
      this.#sent.end();
    }
    if (retryInMs !== undefined) {
      // The next attempt brings them: a site may open once the cookie of its check comes back.
      this.#scope.cookies.keep(response.headers['set-cookie'] ?? [], this.#hop.url);
      throw new RetriedResponse(retryInMs);
    }
    this.#response = response;
    if (!this.#isAnswered) this.#body = await readResponseBody(response, this.#scope);
    this.#isAnswered = true;
    return withoutBody(response);
  }

  /** Decides about the redirect of the current response. */
  mayFollow(location: string | undefined): boolean {
    const { redirects, limits, mayFollow } = this.#scope;
    if (redirects !== 'follow' || !isRedirect(this.#currentResponse().statusCode, location)) return false;
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
  enterNextHop() {
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
  delayAfter(error: Error): number {
    const { clock, signal, limits } = this.#scope;
    if (signal.aborted) return 0;
    // Of a response, only a body that broke off is worth another attempt.
    if (this.#response && (needsBeginningOnly(this.#response, limits) || !isBroken(this.#response.body)))
      return 0;
    const cause = causeOf(error);
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
    const { error, isTransient } = explainFailure(causeOf(thrown), this.#hop.url);
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

  #currentResponse(): HttpResponse {
    if (!this.#response) throw new Error('No response has arrived.');
    return this.#response;
  }
}

/** Returns the error for a request without an answer that must not be sent again. */
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

/** Gives a response to got, without its body, which has been read. */
function withoutBody({ statusCode, headers }: HttpResponse): IncomingMessage {
  const ended = new Readable({ read: () => ended.push(null) });
  return Object.assign(ended, { statusCode, headers, complete: true }) as unknown as IncomingMessage;
}

/** Returns the cause of an error of got, which holds no headers. */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'options' in thrown ? thrown.cause : thrown;
}

/** Returns true for a body that ended early. */
function isBroken({ errored, destroyed, readableEnded }: Readable): boolean {
  return errored !== null || (destroyed && !readableEnded);
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
