import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterSilence } from '@gleaner/contracts';

/** Options of a TLS handshake with a target. */
export interface TlsOptions {
  /** The host that the certificate must be for: a name, or an address without brackets. */
  readonly host: string;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Negotiates TLS for HTTP/1.1 over a connected socket; rejects with node's TLS error when the certificate is not valid. */
export function openTls(socket: Socket, options: TlsOptions): Promise<TLSSocket> {
  const { host, certificateAuthorities, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const secured = connect({
      socket,
      host,
      ...(isIP(host) ? {} : { servername: host.replace(/\.$/, '') }),
      ALPNProtocols: ['http/1.1'],
      ...(certificateAuthorities ? { ca: [...certificateAuthorities] } : {}),
    });
    const fail = (error: Error) => {
      settle();
      secured.on('error', ignore).destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    const onClose = () => fail(failure('closed while negotiating TLS', 'ECONNRESET'));
    const stopWaiting = afterSilence(timeoutMs, () => fail(failure('TLS handshake timed out', 'ETIMEDOUT')));
    const settle = () => {
      stopWaiting();
      signal.removeEventListener('abort', onAbort);
      secured.off('error', fail).off('close', onClose);
    };
    secured.once('error', fail).once('close', onClose);
    secured.once('secureConnect', () => {
      settle();
      resolve(secured.on('error', ignore));
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Handles errors until the socket has an owner, which sees them too; without a listener they would end the process. */
function ignore(): void {}
