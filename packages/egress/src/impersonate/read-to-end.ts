/** What hyper says of an HTTP/1 connection that was closed, but not by TLS; of HTTP/2 it says more. */
const CLOSED_WITHOUT_GOODBYE =
  /hyper::Error\(Body, Custom \{ kind: UnexpectedEof, error: "peer closed .*close_notify/;

/** Where they end, or whether they are whole, can be told of bodies with one of these. */
const ENDING_HEADERS = ['content-length', 'transfer-encoding', 'content-encoding'];

/**
 * All that a body of impit gives. Many servers close a connection without TLS's goodbye (RFC 8446 section 6.1): like
 * browsers, that is the end of a body which has no other.
 */
export async function* readToEnd(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (fault) {
    const hasOtherEnd = ENDING_HEADERS.some((name) => headers.has(name));
    if (hasOtherEnd || !(fault instanceof Error) || !CLOSED_WITHOUT_GOODBYE.test(fault.message)) throw fault;
  }
}
