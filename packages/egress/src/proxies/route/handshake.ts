import type { Socket } from 'node:net';
import type { Target } from '../../route/route.ts';
import type { ProxyCredentials } from '../config/proxy.ts';
import type { ProxyErrorKind } from './proxy-error.ts';

/**
 * Speaks a proxy's protocol over a connection to it; when it resolves, the remote end of the socket is the destination.
 * Rejects with a HandshakeError or what the socket was destroyed with. The caller bounds it by destroying the socket.
 */
export type Handshake = (socket: Socket, request: TunnelRequest) => Promise<void>;

/** Destination and credentials of a tunnel. */
export interface TunnelRequest {
  /** The host may be a name or an address without brackets. */
  readonly destination: Target;
  readonly credentials: ProxyCredentials | undefined;
}

/** Reason why a proxy opened no tunnel; `detail` is its reply, such as `status 502`. */
export class HandshakeError extends Error {
  readonly kind: ProxyErrorKind;
  readonly detail: string | undefined;

  constructor(kind: ProxyErrorKind, detail?: string) {
    super(detail ?? kind);
    this.kind = kind;
    this.detail = detail;
  }
}

/** Reads the next bytes of a paused socket; later bytes stay in it. Rejects when the socket ends first or fails. */
export function readExactly(socket: Socket, size: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
    };
    const onReadable = () => {
      const bytes: Buffer | null = socket.read(size);
      if (bytes === null) return;
      settle();
      if (bytes.length === size) resolve(bytes);
      else reject(new HandshakeError('PROXY_CLOSED'));
    };
    const onEnd = () => {
      settle();
      reject(socket.errored ?? new HandshakeError('PROXY_CLOSED'));
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    socket.on('readable', onReadable).once('end', onEnd).once('close', onEnd).once('error', onError);
    if (socket.destroyed) onEnd();
    else onReadable();
  });
}
