import type { Socket } from 'node:net';
import type { ProxyCredentials } from '../proxies/proxy.ts';
import type { ProxyFaultKind } from '../proxies/proxy-fault.ts';
import type { Target } from './route.ts';

/** What a proxy is asked for. */
export interface TunnelRequest {
  /** The host may be a name or an address without brackets. */
  readonly destination: Target;
  readonly credentials: ProxyCredentials | undefined;
}

/**
 * Speaks a proxy's protocol over a connection to it; when it resolves, the far end of the socket is the destination.
 * Rejects with a HandshakeFault or what the socket was destroyed with. The caller bounds it by destroying the socket.
 */
export type Handshake = (socket: Socket, request: TunnelRequest) => Promise<void>;

/** Why there is no tunnel; `detail` is what the proxy answered, such as `status 502`. */
export class HandshakeFault extends Error {
  readonly kind: ProxyFaultKind;
  readonly detail: string | undefined;

  constructor(kind: ProxyFaultKind, detail?: string) {
    super(detail ?? kind);
    this.kind = kind;
    this.detail = detail;
  }
}
