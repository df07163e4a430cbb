import type { Http2Connection } from '../transport/create-transport.ts';
import { openHttp2Exchange } from '../transport/http2-exchange.ts';
import type { HopRequest, SentRequest } from './http-stack.ts';
import { toResponse } from './http-stack.ts';

/** Sends one request over an HTTP/2 session; the signal ends it, its body included. */
export function sendOverHttp2(
  { hop, headers, signal }: HopRequest,
  connection: Http2Connection,
): SentRequest {
  const { session } = connection;
  const { method, url, body } = hop;
  const { head, stream, destroy: destroyStream } = openHttp2Exchange(session, { method, url, headers, body });
  const destroy = () => {
    signal.removeEventListener('abort', destroy);
    destroyStream();
  };
  if (signal.aborted) destroy();
  else signal.addEventListener('abort', destroy, { once: true });
  const response = head.then(({ ':status': status, ...fields }) =>
    toResponse(
      { statusCode: Number(status), headers: fields },
      { remoteAddress: session.socket?.remoteAddress, body: stream },
    ),
  );
  // The caller may end the request before it waits for the response.
  response.catch(() => {});
  return {
    response,
    end(outcome) {
      destroy();
      connection.release(outcome);
    },
  };
}
