import type { ClientHttp2Session } from 'node:http2';
import { openHttp2Exchange } from '../transport/http2-exchange.ts';
import type { Hop } from './next-hop.ts';
import { type SentRequest, toAnswer } from './send-request.ts';

/** One request, and the session that it goes by. */
export interface Http2Sending {
  readonly hop: Hop;
  readonly headers: Readonly<Record<string, string>>;
  readonly session: ClientHttp2Session;
  readonly signal: AbortSignal;
}

/** Sends one request over an HTTP/2 session; the signal ends it, its body included. */
export function sendOverHttp2({ hop, headers, session, signal }: Http2Sending): SentRequest {
  const { method, url, body } = hop;
  const { head, stream, destroy: destroyStream } = openHttp2Exchange(session, { method, url, headers, body });
  const destroy = () => {
    signal.removeEventListener('abort', destroy);
    destroyStream();
  };
  if (signal.aborted) destroy();
  else signal.addEventListener('abort', destroy, { once: true });
  const answer = head.then(({ ':status': status, ...fields }) =>
    toAnswer(
      { statusCode: Number(status), headers: fields },
      { remoteAddress: session.socket?.remoteAddress, body: stream },
    ),
  );
  // Whoever has ended it does not wait for it.
  answer.catch(() => {});
  return { answer, destroy };
}
