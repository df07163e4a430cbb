import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, LIMITS, untilAborted } from '@gleaner/contracts';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { ProtocolError } from 'puppeteer-core/internal/common/Errors.js';
import type { DocumentResponse } from '../../classify/classify-rendered.ts';
import { documentTooLarge, pageCrashed, pageNeverStays, windowClosed } from '../../classify/page-errors.ts';
import { DocumentReplaced } from './evaluate-apart.ts';
import { FetchProgress } from './fetch-progress.ts';
import type { Tab } from './open-tab.ts';

/** A page that goes to another document more often than this never stays. */
const MAX_NAVIGATIONS = 30;

/** A document that rejected a command because it is being replaced has gone by then. */
const GONE_WITHIN_MS = 2000;

/** Requests that must finish before a page is complete; streams, for example, may stay open. */
const COUNTED_TYPES: ReadonlySet<string> = new Set([
  'Document',
  'Stylesheet',
  'Script',
  'Image',
  'Font',
  'XHR',
  'Fetch',
]);

/** A navigation failed; the message is Chromium's error, such as `net::ERR_FAILED`. */
export class NavigationFailed extends Error {
  override readonly name = 'NavigationFailed';
}

/** Request that a page is not complete without. */
interface OpenRequest {
  /** Its place among those of the tab. */
  readonly ordinal: number;
  /** Undefined for requests whose end Chromium always reports. */
  readonly progress: FetchProgress | undefined;
}

/** Follows the events of a tab, starting before its first navigation. */
export class PageWatch {
  /** Aborted when the tab cannot go on: crashed, closed, at a refused URL, or in an endless navigation. */
  readonly broken: AbortSignal;
  readonly #broken = new AbortController();
  readonly #tab: Tab;
  readonly #findRefusal: (url: string) => AppError | undefined;
  /** Requests whose end was not reported, by their ids. */
  readonly #inFlight = new Map<string, OpenRequest>();
  #requests = 0;
  #isNavigating = false;
  #documentRequest: { readonly id: string; readonly url: string } | undefined;
  #documentBytes = 0;
  #answer: (DocumentResponse & { readonly id: string }) | undefined;
  #response: DocumentResponse | undefined;
  #isDocumentComplete = false;
  #documentError: string | undefined;
  #isLoaded = false;
  #replaced = new AbortController();
  #navigations = 0;
  #activeAtMs = performance.now();

  /** `findRefusal` returns why no document may be loaded from a URL. */
  constructor(tab: Tab, findRefusal: (url: string) => AppError | undefined) {
    this.#tab = tab;
    this.#findRefusal = findRefusal;
    this.broken = this.#broken.signal;
    const { session } = tab;
    session.on('Network.requestWillBeSent', (event) => this.#onRequest(event));
    session.on('Network.responseReceived', (event) => this.#onResponse(event));
    session.on('Network.dataReceived', ({ requestId, dataLength }) => this.#onData(requestId, dataLength));
    session.on('Network.loadingFinished', ({ requestId }) => this.#onFinished(requestId));
    session.on('Network.loadingFailed', (event) => this.#onFailure(event));
    session.on('Page.frameStoppedLoading', ({ frameId }) => this.#onStopped(frameId));
    session.on('Page.frameRequestedNavigation', ({ frameId, disposition }) => {
      if (frameId === tab.targetId && disposition === 'currentTab') this.#isNavigating = true;
    });
    session.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === tab.targetId) this.#isNavigating = false;
    });
    session.on('Page.frameNavigated', ({ frame }) => this.#onNavigated(frame));
    session.on('Page.loadEventFired', () => this.#note(() => (this.#isLoaded = true)));
    session.on('Page.javascriptDialogOpening', ({ type }) => answerDialog(session, type));
    session.on('Inspector.targetCrashed', () => this.#broken.abort(pageCrashed()));
    session.on('Inspector.detached', () => this.#broken.abort(windowClosed()));
  }

  /** The target's answer for the current document. */
  get response(): DocumentResponse | undefined {
    return this.#response;
  }

  /** The target's answer to the last request for the outermost document, even if it is not shown as a document. */
  get lastAnswer(): DocumentResponse | undefined {
    return this.#answer?.id === this.#documentRequest?.id ? this.#answer : undefined;
  }

  /** The URL of the last request for the outermost document, redirects followed. */
  get documentUrl(): string | undefined {
    return this.#documentRequest?.url;
  }

  /** Number of documents that the tab has shown. */
  get navigations(): number {
    return this.#navigations;
  }

  /** True from the request for another document until it is shown, or will not be. */
  get isNavigating(): boolean {
    return this.#isNavigating;
  }

  /** Number of requests so far that a page is not complete without. */
  get requests(): number {
    return this.#requests;
  }

  /** Returns true while requests are in flight that began after so many. */
  hasRequestsSince(requests: number): boolean {
    for (const { ordinal, progress } of this.#inFlight.values()) {
      if (ordinal > requests && !progress?.isOver) return true;
    }
    return false;
  }

  /** True when the whole document has arrived. */
  get isDocumentComplete(): boolean {
    return this.#isDocumentComplete;
  }

  /** Chromium's error for a document that broke off before its end, such as `net::ERR_CONNECTION_RESET`. */
  get documentError(): string | undefined {
    return this.#documentError;
  }

  /** Time since the last request or response of a loaded page; 0 while it loads or a request is in flight. */
  get quietMs(): number {
    if (!this.#isLoaded || this.hasRequestsSince(0)) return 0;
    return performance.now() - this.#activeAtMs;
  }

  /**
   * Returns the result of work on the current document; undefined when another document replaces it before. Chromium may
   * never answer commands for a document that goes away, or reject them with various errors before it says so.
   */
  async whileItStays<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const replaced = this.#replaced.signal;
    try {
      return await untilAborted(work(), replaced);
    } catch (error) {
      if (error instanceof DocumentReplaced) return undefined;
      if (!(error instanceof ProtocolError)) throw error;
      const over = AbortSignal.any([replaced, this.broken]);
      await sleep(GONE_WITHIN_MS, undefined, { signal: over }).catch(() => {});
      if (replaced.aborted) return undefined;
      throw this.broken.aborted ? this.broken.reason : error;
    }
  }

  #onRequest({
    requestId,
    type = 'Other',
    frameId,
    request,
    loaderId,
  }: Protocol.Network.RequestWillBeSentEvent): void {
    if (type === 'Document' && frameId === this.#tab.targetId && requestId === loaderId) {
      this.#documentRequest = { id: requestId, url: request.url };
      this.#isNavigating = true;
      this.#isDocumentComplete = false;
      this.#documentError = undefined;
      this.#documentBytes = 0;
      const refusal = this.#findRefusal(request.url);
      if (refusal) this.#broken.abort(refusal);
    }
    // Chromium does not report the end of requests outside of a document, such as the script of a worker.
    if (loaderId === '' || !COUNTED_TYPES.has(type) || request.url.startsWith('data:')) return;
    this.#requests += 1;
    const progress = type === 'Fetch' ? new FetchProgress() : undefined;
    this.#note(() => this.#inFlight.set(requestId, { ordinal: this.#requests, progress }));
  }

  #onResponse({ requestId, response }: Protocol.Network.ResponseReceivedEvent): void {
    this.#inFlight.get(requestId)?.progress?.onResponse(response);
    if (requestId !== this.#documentRequest?.id) return;
    const { url, status: statusCode } = response;
    this.#answer = { id: requestId, url, statusCode, headers: withLowerCaseNames(response.headers) };
  }

  /** A load that the page itself has stopped counts as complete. */
  #onFailure({ requestId, errorText, canceled = false }: Protocol.Network.LoadingFailedEvent): void {
    if (requestId === this.#documentRequest?.id) this.#isNavigating = false;
    if (requestId === this.#documentRequest?.id && !canceled) this.#documentError = errorText;
    this.#onFinished(requestId);
  }

  #onFinished(requestId: string): void {
    if (requestId === this.#documentRequest?.id) this.#isDocumentComplete = true;
    if (this.#inFlight.has(requestId)) this.#note(() => this.#inFlight.delete(requestId));
  }

  #onData(requestId: string, bytes: number): void {
    const progress = this.#inFlight.get(requestId)?.progress;
    progress?.onData(bytes);
    if (progress?.isComplete) this.#onFinished(requestId);
    if (requestId !== this.#documentRequest?.id) return;
    this.#documentBytes += bytes;
    if (this.#documentBytes > LIMITS.maxPageBytes) this.#broken.abort(documentTooLarge());
  }

  /** A navigation that became a download, or showed nothing, ends without another event. */
  #onStopped(frameId: string): void {
    if (frameId !== this.#tab.targetId) return;
    if (this.#documentRequest) this.#onFinished(this.#documentRequest.id);
    this.#isNavigating = false;
    this.#isLoaded = true;
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.#tab.targetId) return;
    this.#navigations += 1;
    this.#isNavigating = false;
    this.#replaced.abort(new DocumentReplaced());
    this.#replaced = new AbortController();
    // The command of the first navigation reports its failure; no command waits for a later one.
    if (frame.unreachableUrl && this.#response)
      this.#broken.abort(new NavigationFailed(this.#navigationError));
    if (this.#answer?.id === frame.loaderId) this.#response = this.#answer;
    if (this.#navigations > MAX_NAVIGATIONS) this.#broken.abort(pageNeverStays(frame.url, MAX_NAVIGATIONS));
    this.#note(() => {
      this.#isLoaded = false;
      // Requests of the last document ended with it, even if Chromium does not report that.
      this.#inFlight.clear();
    });
  }

  get #navigationError(): string {
    if (this.#documentError) return this.#documentError;
    return this.lastAnswer ? 'net::ERR_HTTP_RESPONSE_CODE_FAILURE' : 'net::ERR_FAILED';
  }

  #note(change: () => void): void {
    change();
    this.#activeAtMs = performance.now();
  }
}

/** Dismisses alert, confirm and prompt: they block the page. Confirms the question whether to leave the page. */
function answerDialog(session: CDPSession, type: Protocol.Page.DialogType): void {
  session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => {
    // The dialog, or the page, has gone already.
  });
}

function withLowerCaseNames(headers: Protocol.Network.Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      String(value).replaceAll('\n', ', '),
    ]),
  );
}
