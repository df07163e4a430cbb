import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { UnansweredFault } from '../errors/unanswered-fault.ts';
import { MAX_HEADER_BYTES } from './max-header-bytes.ts';

/** One request over HTTP/2. */
export interface Http2Request {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** A request on its way, and the stream (RFC 9113 section 5) that its answer comes by. */
export interface Http2Exchange {
  /** Rejects with an UnansweredFault, and with a coded error where there are more headers than are taken. */
  readonly head: Promise<IncomingHttpHeaders>;
  /** The answer's body; it fails where it is broken off. */
  readonly stream: ClientHttp2Stream;
  /** Ends it, whatever state it is in. */
  destroy(): void;
}

/** Sends a request over a session. Throws an UnansweredFault where the session takes no more of them. */
export function openHttp2Exchange(session: ClientHttp2Session, request: Http2Request): Http2Exchange {
  const stream = requestOver(session, request);
  // One that fails after nobody listens any more has told all that it can.
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
  } catch (fault) {
    throw new UnansweredFault(fault);
  }
}

function headOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const fail = (fault?: unknown) => reject(new UnansweredFault(fault));
    stream.once('error', fail).once('close', fail);
    stream.once('response', (headers, _flags, rawHeaders: readonly string[]) => {
      const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
      if (bytes > MAX_HEADER_BYTES) reject(coded('too many headers', 'ERR_HTTP2_HEADER_OVERFLOW'));
      else resolve(headers);
    });
  });
}

/**
 * Node lets a body end well that the server breaks off with NO_ERROR (RFC 9113 section 8.1 allows that only after the
 * whole answer): it pushes the end then as it does for END_STREAM, but closes the stream before.
 */
function failWhenCut(stream: ClientHttp2Stream): void {
  const push = stream.push.bind(stream);
  let hasEnded = false;
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && stream.closed && !hasEnded) {
      // Node is not done with the stream yet.
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
