import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, LIMITS } from '@gleaner/contracts';
import { type CDPSession, type Protocol, ProtocolError } from 'puppeteer-core';
import { DocumentReplaced } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';
import { untilAborted } from './until-aborted.ts';

/** The target's answer for the outermost document that is there now. */
export interface DocumentResponse {
  readonly url: string;
  readonly statusCode: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A page that goes to another document this often will do so for ever. */
const MAX_NAVIGATIONS = 30;

/** A document that gave no answer because it was on its way out has gone by then. */
const GONE_WITHIN_MS = 2000;

/** What a page waits for before it is complete; streams, for one, stay open as long as they like. */
const COUNTED_TYPES: ReadonlySet<string> = new Set([
  'Document',
  'Stylesheet',
  'Script',
  'Image',
  'Font',
  'XHR',
  'Fetch',
]);

/** Follows what happens in a tab, from before its first navigation on. */
export class PageWatch {
  /** Aborted when the tab cannot go on: crashed, closed, or caught in an endless navigation. */
  readonly broken: AbortSignal;
  readonly #broken = new AbortController();
  readonly #tab: Tab;
  readonly #inFlight = new Set<string>();
  #documentRequest: { readonly id: string; readonly url: string } | undefined;
  #documentBytes = 0;
  #answer: (DocumentResponse & { readonly id: string }) | undefined;
  #response: DocumentResponse | undefined;
  #isDocumentComplete = false;
  #documentFault: string | undefined;
  #isLoaded = false;
  #replaced = new AbortController();
  #navigations = 0;
  #activeAtMs = performance.now();

  constructor(tab: Tab) {
    this.#tab = tab;
    this.broken = this.#broken.signal;
    const { session } = tab;
    session.on('Network.requestWillBeSent', (event) => this.#onRequest(event));
    session.on('Network.responseReceived', (event) => this.#onResponse(event));
    session.on('Network.dataReceived', ({ requestId, dataLength }) => this.#onData(requestId, dataLength));
    session.on('Network.loadingFinished', ({ requestId }) => this.#onEnd(requestId));
    session.on('Network.loadingFailed', (event) => this.#onFailure(event));
    session.on('Page.frameStoppedLoading', ({ frameId }) => this.#onStopped(frameId));
    session.on('Page.frameNavigated', ({ frame }) => this.#onNavigated(frame));
    session.on('Page.loadEventFired', () => this.#note(() => (this.#isLoaded = true)));
    session.on('Page.javascriptDialogOpening', () => dismissDialog(session));
    session.on('Inspector.targetCrashed', () => this.#broken.abort(crashed()));
    session.on('Inspector.detached', () => this.#broken.abort(closedItself()));
  }

  /** What the target answered for the document that is there. */
  get response(): DocumentResponse | undefined {
    return this.#response;
  }

  /** What the target answered last, whether a document came of it or not. */
  get lastAnswer(): DocumentResponse | undefined {
    return this.#answer;
  }

  /** The URL of the last request for the outermost document, redirects followed. */
  get documentUrl(): string | undefined {
    return this.#documentRequest?.url;
  }

  /** How often the tab has gone to another document. */
  get navigations(): number {
    return this.#navigations;
  }

  /** Whether the whole of the document has arrived. */
  get isDocumentComplete(): boolean {
    return this.#isDocumentComplete;
  }

  /** Chromium's name for what broke the document off before its end, such as `net::ERR_CONNECTION_RESET`. */
  get documentFault(): string | undefined {
    return this.#documentFault;
  }

  /** Whether the page has loaded, and how long nothing has been requested or received; 0 while something is under way. */
  get quietMs(): number {
    if (!this.#isLoaded || this.#inFlight.size > 0) return 0;
    return performance.now() - this.#activeAtMs;
  }

  /**
   * The outcome of work on the document that is there; undefined when another takes its place meanwhile. What Chromium was
   * asked of a document that goes away it may never answer, or refuse in many words before it says that the document goes.
   */
  async whileItStays<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const replaced = this.#replaced.signal;
    try {
      return await untilAborted(work(), replaced);
    } catch (fault) {
      if (fault instanceof DocumentReplaced) return undefined;
      if (!(fault instanceof ProtocolError)) throw fault;
      const over = AbortSignal.any([replaced, this.broken]);
      await sleep(GONE_WITHIN_MS, undefined, { signal: over }).catch(() => {});
      if (replaced.aborted) return undefined;
      throw this.broken.aborted ? this.broken.reason : fault;
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
      this.#isDocumentComplete = false;
      this.#documentFault = undefined;
      this.#documentBytes = 0;
    }
    // Of what belongs to no document, such as the script of a worker, Chromium does not tell the end.
    if (loaderId === '' || !COUNTED_TYPES.has(type) || request.url.startsWith('data:')) return;
    this.#note(() => this.#inFlight.add(requestId));
  }

  #onResponse({ requestId, response }: Protocol.Network.ResponseReceivedEvent): void {
    if (requestId !== this.#documentRequest?.id) return;
    const { url, status: statusCode } = response;
    this.#answer = { id: requestId, url, statusCode, headers: withLowerCaseNames(response.headers) };
  }

  /** What the page itself has stopped is as complete as it wanted it. */
  #onFailure({ requestId, errorText, canceled = false }: Protocol.Network.LoadingFailedEvent): void {
    if (requestId === this.#documentRequest?.id && !canceled) this.#documentFault = errorText;
    this.#onEnd(requestId);
  }

  #onEnd(requestId: string): void {
    if (requestId === this.#documentRequest?.id) this.#isDocumentComplete = true;
    if (this.#inFlight.has(requestId)) this.#note(() => this.#inFlight.delete(requestId));
  }

  #onData(requestId: string, bytes: number): void {
    if (requestId !== this.#documentRequest?.id) return;
    this.#documentBytes += bytes;
    if (this.#documentBytes > LIMITS.maxPageBytes) this.#broken.abort(tooLarge());
  }

  /** A navigation that became a download, or nothing, ends without another word. */
  #onStopped(frameId: string): void {
    if (frameId !== this.#tab.targetId) return;
    if (this.#documentRequest) this.#onEnd(this.#documentRequest.id);
    this.#isLoaded = true;
  }

  #onNavigated(frame: Protocol.Page.Frame): void {
    if (frame.id !== this.#tab.targetId) return;
    this.#navigations += 1;
    this.#replaced.abort(new DocumentReplaced());
    this.#replaced = new AbortController();
    if (this.#answer?.id === frame.loaderId) this.#response = this.#answer;
    if (this.#navigations > MAX_NAVIGATIONS) this.#broken.abort(neverStays(frame.url));
    this.#note(() => {
      this.#isLoaded = false;
      // What the last document had under way ended with it, whether Chromium says so or not.
      this.#inFlight.clear();
    });
  }

  #note(change: () => void): void {
    change();
    this.#activeAtMs = performance.now();
  }
}

/** Says no, and that nobody is there: alert, confirm, prompt and beforeunload all hold up the page until then. */
function dismissDialog(session: CDPSession): void {
  session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {
    // The page went on, or away, before; whoever waits for it sees that.
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

function crashed(): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: 'The page crashed its browser tab, most likely because it took too much memory.',
    suggestion: 'Fetch the page without render, or scrape a smaller page that has the same content.',
  });
}

function tooLarge(): AppError {
  return new AppError('UNSUPPORTED_CONTENT', {
    message: `The document is over ${LIMITS.maxPageBytes / 1_048_576} MiB.`,
    suggestion: 'Scrape a smaller page that has the same content.',
  });
}

function closedItself(): AppError {
  return new AppError('UPSTREAM_ERROR', { message: 'The page closed its own window.' });
}

function neverStays(url: string): AppError {
  return new AppError('UPSTREAM_ERROR', {
    message: `The page went from one document to the next more than ${MAX_NAVIGATIONS} times and never stayed (last: ${url.slice(0, 200)}).`,
    suggestion: 'Open the page in a browser and give the URL where it stays; it may need cookies.',
  });
}
