import { ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';

/** Limit on the headers of a response. Browsers accept 256 KiB; no known page needs a quarter of that. */
export const MAX_HEADER_BYTES = 65_536;

/**
 * Sends an HTTP/1.1 request with node, and corrects how it ends. Node ends a body that is delimited by its connection
 * normally when that connection is reset, and fails a request whose complete response is followed by unreadable bytes. Here
 * an error before the end of the response fails its body, and later errors are ignored (RFC 9112 section 8).
 */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  return new CheckedRequest({ ...urlToHttpOptions(url), ...options, maxHeaderSize: MAX_HEADER_BYTES });
}

class CheckedRequest extends ClientRequest {
  #response: IncomingMessage | undefined;

  constructor(options: RequestOptions) {
    super(options);
    // Bytes are bounded, the number of headers is not: node would silently drop those after the 2,000th.
    this.maxHeadersCount = 0;
    this.once('response', (response) => {
      this.#response = response;
    });
  }

  /** Checks `complete` when an error is emitted, because node ends the response only after that. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const response = event === 'error' ? this.#response : undefined;
    if (response?.complete) return true;
    const isHandled = super.emit(event as string, ...values);
    response?.destroy(values[0] as Error);
    return isHandled;
  }
}
