import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  type Capture,
  type CapturedType,
  type CaptureRule,
  DEFAULT_CAPTURE_LIMIT,
  isSecretHeader,
  LIMITS,
  REDACTED,
  untilAborted,
} from '@gleaner/contracts';
import { compileUrlPattern, type UrlMatcher } from '@gleaner/frontier';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { FetchProgress } from './fetch-progress.ts';

/** A captured response, before its body is read as JSON or text. */
export interface CapturedBody {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly contentType: string;
  /** Absent if the body is missing. */
  readonly body?: string;
  /** The body is in base64, because it is not text. */
  readonly isBase64: boolean;
  readonly isTruncated: boolean;
}

/** Captured responses, by the names of the captures. */
export type CapturedBodies = Readonly<Record<string, readonly CapturedBody[]>>;

/** A response of the page whose requests match. */
interface Caught {
  readonly requestId: string;
  readonly names: readonly string[];
  readonly method: string;
  readonly type: string;
  response: Protocol.Network.Response | undefined;
  isDone: boolean;
  /** Progress of a `fetch`, whose end need not be reported. */
  readonly progress: FetchProgress | undefined;
  reading: Promise<void> | undefined;
  body: Pick<CapturedBody, 'body' | 'isBase64' | 'isTruncated'>;
}

interface Rule {
  readonly name: string;
  readonly matches: UrlMatcher;
  readonly method: string | undefined;
  readonly types: ReadonlySet<CapturedType>;
  readonly limit: number;
  readonly wait: number;
  readonly pattern: CaptureRule['url'];
  count: number;
}

/** Bodies that Chromium keeps: larger ones, and the oldest beyond the total, cannot be read. */
const BUFFERS = {
  maxResourceBufferSize: 4 * LIMITS.maxCapturedBytes,
  maxTotalBufferSize: 32 * LIMITS.maxCapturedBytes,
};
const DEFAULT_TYPES = ['xhr', 'fetch'] as const;
const NAMED_TYPES: ReadonlySet<string> = new Set(['xhr', 'fetch', 'eventsource', 'document', 'script']);
const MISSING = { isBase64: false, isTruncated: true };
const POLL_EVERY_MS = 25;
/** Reading a body takes a moment; Chromium never answers for some. */
const READ_WITHIN_MS = 2000;
/** URLs that the error of a wait names. */
const MAX_NAMED = 3;

/** Keeps the responses of a page's requests, from before its first navigation until it is read. */
export class ResponseCapture {
  readonly #session: CDPSession;
  readonly #rules: readonly Rule[];
  /** Responses that match, by the ids of their requests, in the order of these. */
  readonly #caught = new Map<string, Caught>();
  readonly #others = new Set<string>();
  #bytes = 0;

  constructor(session: CDPSession, capture: Capture) {
    this.#session = session;
    this.#rules = Object.entries(capture).map(([name, rule]) => ({
      name,
      pattern: rule.url,
      matches: compileUrlPattern(rule.url),
      method: rule.method,
      types: new Set(rule.types ?? DEFAULT_TYPES),
      limit: rule.limit ?? DEFAULT_CAPTURE_LIMIT,
      wait: rule.wait ?? 0,
      count: 0,
    }));
    session.on('Network.requestWillBeSent', (event) => this.#onRequest(event));
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const caught = this.#caught.get(requestId);
      if (caught) caught.response = response;
      caught?.progress?.onResponse(response);
    });
    session.on('Network.dataReceived', ({ requestId, dataLength }) =>
      this.#caught.get(requestId)?.progress?.onData(dataLength),
    );
    session.on('Network.eventSourceMessageReceived', ({ requestId }) => this.#onEvent(requestId));
    session.on('Network.loadingFinished', ({ requestId }) => this.#onEnd(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => this.#onEnd(requestId));
  }

  /** Has Chromium keep bodies. */
  async prepare(): Promise<void> {
    await this.#session.send('Network.enable', BUFFERS);
  }

  /** Resolves when each name has the responses that it waits for. Throws a TIMEOUT that names one that has not. */
  async untilMet(signal: AbortSignal): Promise<void> {
    try {
      while (this.#rules.some((rule) => this.#isShort(rule))) {
        await sleep(POLL_EVERY_MS, undefined, { signal });
      }
    } catch (error) {
      const isTimeout = signal.reason instanceof AppError && signal.reason.code === 'TIMEOUT';
      if (!signal.aborted) throw error;
      throw isTimeout ? this.#unmet(signal.reason) : signal.reason;
    }
  }

  /** Returns the responses captured so far, with the beginning of unfinished bodies. */
  async take(signal: AbortSignal): Promise<CapturedBodies> {
    const all = [...this.#caught.values()].filter(({ response }) => response !== undefined);
    for (const caught of all) caught.reading ??= this.#readOpen(caught);
    const reading = Promise.all(all.map((caught) => caught.reading));
    const isLate = sleep(READ_WITHIN_MS, undefined, { ref: false });
    await untilAborted(Promise.race([reading, isLate]), signal);
    return Object.fromEntries(
      this.#rules.map(({ name }) => [
        name,
        all.filter(({ names }) => names.includes(name)).map(describeCaught),
      ]),
    );
  }

  #onRequest({
    requestId,
    request,
    type = 'Other',
    redirectResponse,
  }: Protocol.Network.RequestWillBeSentEvent) {
    if (this.#caught.has(requestId) || type === 'Preflight') return;
    const kind = typeOf(type);
    const open = this.#rules.filter(
      ({ types, method, limit, count }) =>
        count < limit && types.has(kind) && (method === undefined || method === request.method),
    );
    const url = open.length > 0 ? URL.parse(request.url) : null;
    if (!url || !/^https?:$/.test(url.protocol)) return;
    const matching = open.filter(({ matches }) => matches(url));
    if (matching.length === 0) {
      if (this.#others.size < MAX_NAMED && !redirectResponse) this.#others.add(redactUrl(request.url));
      return;
    }
    for (const rule of matching) rule.count += 1;
    this.#caught.set(requestId, {
      requestId,
      names: matching.map(({ name }) => name),
      method: request.method,
      type: kind,
      response: undefined,
      isDone: false,
      reading: undefined,
      body: MISSING,
      progress: type === 'Fetch' ? new FetchProgress() : undefined,
    });
  }

  /** A stream of events has no end to wait for. */
  #onEvent(requestId: string): void {
    const caught = this.#caught.get(requestId);
    if (caught) caught.isDone = true;
  }

  #onEnd(requestId: string): void {
    const caught = this.#caught.get(requestId);
    if (!caught || caught.reading) return;
    caught.reading = this.#read(caught);
  }

  async #read(caught: Caught): Promise<void> {
    const { requestId, response } = caught;
    try {
      if (!response || this.#bytes >= LIMITS.maxCapturedBytesInAll) return;
      const { body, base64Encoded } = await this.#session.send('Network.getResponseBody', { requestId });
      caught.body = this.#keep(body, base64Encoded);
    } catch {
      // Chromium has no body: it was too large, or the request failed.
      if (response && isBodiless(response.status)) caught.body = { isBase64: false, isTruncated: false };
    } finally {
      caught.isDone = response !== undefined;
    }
  }

  /** Reads the beginning of a body that has not ended. */
  async #readOpen(caught: Caught): Promise<void> {
    try {
      if (this.#bytes >= LIMITS.maxCapturedBytesInAll) return;
      const { requestId } = caught;
      const { bufferedData } = await this.#session.send('Network.streamResourceContent', { requestId });
      const bytes = Buffer.from(bufferedData, 'base64');
      const kept = isText(caught.response?.mimeType ?? '')
        ? this.#keep(bytes.toString(), false)
        : this.#keep(bufferedData, true);
      const isWhole = caught.progress?.isComplete === true;
      caught.body = { ...kept, isTruncated: kept.isTruncated || !isWhole };
    } catch {
      // Nothing of it has come.
    }
  }

  /** Counts a body, and cuts it to what is left of the limits. */
  #keep(body: string, isBase64: boolean): Caught['body'] {
    const room = Math.min(LIMITS.maxCapturedBytes, LIMITS.maxCapturedBytesInAll - this.#bytes);
    const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8');
    this.#bytes += Math.min(bytes.length, room);
    if (bytes.length <= room) return { body, isBase64, isTruncated: false };
    const cut = bytes.subarray(0, Math.max(0, room));
    // In a stream, half of a character at the end is left out.
    const text = isBase64 ? cut.toString('base64') : new TextDecoder().decode(cut, { stream: true });
    return { body: text, isBase64, isTruncated: true };
  }

  #isShort({ name, wait }: Rule): boolean {
    if (wait === 0) return false;
    return this.#countDone(name) < wait;
  }

  #countDone(wanted: string): number {
    return [...this.#caught.values()].filter(
      ({ names, isDone, progress }) => (isDone || progress?.isOver) && names.includes(wanted),
    ).length;
  }

  #unmet(cause: AppError): AppError {
    const rule = this.#rules.find((each) => this.#isShort(each));
    const { name = '', wait = 0, pattern = '' } = rule ?? {};
    const done = this.#countDone(name);
    const seen = [...this.#others].join(', ');
    const others = seen === '' ? '' : ` Other requests of the page were: ${seen}.`;
    return new AppError('TIMEOUT', {
      message: `The time ran out while waiting for ${wait === 1 ? 'a response' : `${wait} responses`} of the capture "${name}": ${done} came for ${JSON.stringify(pattern)}.${others}`,
      suggestion:
        'Compare url, method and types of the capture with the requests that the developer tools of a browser show, or ask for fewer responses.',
      source: 'target',
      cause,
    });
  }
}

function describeCaught({ method, response, body }: Caught): CapturedBody {
  const { url = '', status = 0, headers = {}, mimeType = '' } = response ?? {};
  const named = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return { url: redactUrl(url), method, status, contentType: String(named ?? mimeType), ...body };
}

function typeOf(type: string): CapturedType {
  const name = type.toLowerCase();
  return NAMED_TYPES.has(name) ? (name as CapturedType) : 'other';
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function isText(mimeType: string): boolean {
  return /^text\/|json|xml|javascript|urlencoded/i.test(mimeType);
}

/** Returns a URL without the values of parameters with the name of a secret. */
function redactUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || ![...url.searchParams.keys()].some(isSecretHeader)) return text;
  const query = url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      return isSecretHeader(name) ? `${name}=${REDACTED}` : pair;
    });
  url.search = '';
  const { hash } = url;
  url.hash = '';
  return `${url.href}?${query.join('&')}${hash}`;
}
