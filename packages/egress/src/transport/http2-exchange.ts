import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { UnansweredError } from '../errors.ts';
import { MAX_HEADER_BYTES } from './open-request.ts';

/** One request over HTTP/2. */
export interface Http2Request {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** A running request, and the stream (RFC 9113 section 5) of its response. */
export interface Http2Exchange {
  /** Rejects with an UnansweredError, and with a coded error when the headers are too large. */
  readonly head: Promise<IncomingHttpHeaders>;
  /** Body of the response; fails when it is cut short. */
  readonly stream: ClientHttp2Stream;
  /** Ends the exchange in any state. */
  destroy(): void;
}

/** Sends a request over a session. Throws an UnansweredError when the session accepts no more requests. */
export function openHttp2Exchange(session: ClientHttp2Session, request: Http2Request): Http2Exchange {
  const stream = requestOver(session, request);
  // Ignore errors after the response has been read or given up.
  stream.on('error', () => {});
  failWhenCut(stream);
  stream.end(request.body);
  return {
    stream,
    head: headOf(stream),
    destroy() {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy();
    },
  };
}

function requestOver(
  session: ClientHttp2Session,
  { method, url, headers, body }: Http2Request,
): ClientHttp2Stream {
  try {
    return session.request(
      {
        ':method': method,
        ':scheme': url.protocol.slice(0, -1),
        ':authority': url.host,
        ':path': url.pathname + url.search,
        ...headers,
        ...(body && { 'content-length': body.length }),
      },
      { endStream: false },
    );
  } catch (error) {
    throw new UnansweredError(error);
  }
}

function headOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const fail = (error?: unknown) => reject(new UnansweredError(error));
    stream.once('error', fail).once('close', fail);
    stream.once('response', (headers, _flags, rawHeaders: readonly string[]) => {
      const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
      if (bytes > MAX_HEADER_BYTES) reject(coded('too many headers', 'ERR_HTTP2_HEADER_OVERFLOW'));
      else resolve(headers);
    });
  });
}

/**
 * Fails a body that the server resets with NO_ERROR before its end (RFC 9113 section 8.1 allows that only after the whole
 * response). Node ends it as if complete: it pushes the end as for END_STREAM, but closes the stream before.
 */
function failWhenCut(stream: ClientHttp2Stream): void {
  const push = stream.push.bind(stream);
  let hasEnded = false;
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && stream.closed && !hasEnded) {
      // Node still works on the stream in this tick.
      process.nextTick(() => stream.destroy(coded('reset before the end of the body', 'ECONNRESET')));
      return false;
    }
    hasEnded ||= chunk === null;
    return push(chunk, encoding);
  };
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
