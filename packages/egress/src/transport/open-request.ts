import { ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { MAX_HEADER_BYTES } from './max-header-bytes.ts';

/**
 * Sends an HTTP/1.1 request as node does, and tells what becomes of its answer. Node lets a body that ends with its
 * connection end well when that connection is reset, and fails a request whose answer was complete before something
 * unreadable followed it. Here the answer's body fails with whatever came before it was complete, and what comes later
 * is nobody's business (RFC 9112 section 8).
 */
export function openRequest(url: URL, options: RequestOptions): ClientRequest {
  return new AnsweredRequest({ ...urlToHttpOptions(url), ...options, maxHeaderSize: MAX_HEADER_BYTES });
}

class AnsweredRequest extends ClientRequest {
  #answer: IncomingMessage | undefined;

  constructor(options: RequestOptions) {
    super(options);
    this.once('response', (answer) => {
      this.#answer = answer;
    });
  }

  /** Node ends the answer only after it has told of the failure: until then `complete` is what it was. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const answer = event === 'error' ? this.#answer : undefined;
    if (answer?.complete) return true;
    const isHeard = super.emit(event as string, ...values);
    answer?.destroy(values[0] as Error);
    return isHeard;
  }
}
