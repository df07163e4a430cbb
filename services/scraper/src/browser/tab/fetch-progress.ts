import type { Protocol } from 'puppeteer-core';

/** Time without data after which the rest of a body is not waited for. */
const PAUSE_MS = 500;
/** The same for a body of which nothing has come yet: its server may still compute it. */
const PAUSE_BEFORE_DATA_MS = 2000;

/**
 * Progress of one `fetch`. Chromium reports no end of a body that the page does not read, unless the cache takes it, and
 * streams have none: such a request is over once its declared length has come, or its data has paused.
 */
export class FetchProgress {
  #length: number | undefined;
  #bytes = 0;
  #activeAtMs: number | undefined;

  onResponse({ headers }: Pick<Protocol.Network.Response, 'headers'>): void {
    this.#activeAtMs = performance.now();
    this.#length = bodyLengthOf(headers);
  }

  onData(bytes: number): void {
    this.#activeAtMs = performance.now();
    this.#bytes += bytes;
  }

  /** True when the whole body has come, as far as its headers tell. */
  get isComplete(): boolean {
    return this.#length !== undefined && this.#bytes >= this.#length;
  }

  /** True when a response has come and no more of it is to be expected. */
  get isOver(): boolean {
    if (this.#activeAtMs === undefined) return false;
    const pauseMs = this.#bytes > 0 ? PAUSE_MS : PAUSE_BEFORE_DATA_MS;
    return this.isComplete || performance.now() - this.#activeAtMs >= pauseMs;
  }
}

/** Returns the length that the headers give the body as scripts see it: a compressed one is longer. */
function bodyLengthOf(headers: Protocol.Network.Headers): number | undefined {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const length = named.get('content-length');
  if (length === undefined || named.has('content-encoding') || !/^\d+$/.test(length)) return undefined;
  return Number(length);
}
