import type { Socket } from 'node:net';
import { afterSilence } from '@gleaner/contracts';
import { codeOf } from '../../errors.ts';
import type { EgressPolicy } from '../../policy/create-egress-policy.ts';
import { createDirectRoute } from '../../route/create-direct-route.ts';
import type { CheckedAddress, Lookup } from '../../route/create-lookup.ts';
import { openTls } from '../../route/open-tls.ts';
import type { Route, RouteContext, Target } from '../../route/route.ts';
import type { ConfiguredProxy } from '../config/proxy.ts';
import {
  type Handshake,
  HandshakeError,
  shakeHandsHttp,
  shakeHandsSocks5,
  type TunnelRequest,
} from './handshake.ts';
import { type ProxyErrorKind, proxyError } from './proxy-error.ts';

/** Dependencies of the routes through proxies. */
export interface ProxyRouteDeps {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
  /** PEM certificates to trust in https proxies instead of the usual authorities. */
  readonly certificateAuthorities?: readonly string[];
}

const CONNECT_TIMEOUT_MS = 5_000;
const TLS_TIMEOUT_MS = 5_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;

const HANDSHAKES: Readonly<Record<ConfiguredProxy['protocol'], Handshake>> = {
  http: shakeHandsHttp,
  https: shakeHandsHttp,
  socks5: shakeHandsSocks5,
};

/**
 * Creates the route through a proxy: the target is resolved here and all its addresses are checked before the proxy is
 * contacted; the proxy's own address is checked like any other. Rejects with the direct route's errors for the target, and
 * with PROXY_ERROR.
 */
export function createProxyRoute(proxy: ConfiguredProxy, deps: ProxyRouteDeps): Route {
  const toProxy = createDirectRoute({ ...deps, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return async (target, context) => {
    const { clock, signal } = context;
    clock.enter('dns');
    const addresses = await deps.lookup(target.host, target.port, signal);
    const plain = await blamingProxy(proxy, signal, 'PROXY_UNREACHABLE', () => toProxy(proxy, context));
    clock.enter('proxy');
    const socket = await blamingProxy(proxy, signal, 'PROXY_TLS', () => secure(plain, proxy, deps, context));
    const request = {
      destination: destinationOf(proxy, target, addresses),
      credentials: proxy.credentials,
    };
    await blamingProxy(proxy, signal, 'PROXY_CLOSED', () => shakeHands(proxy, socket, request, signal));
    return socket;
  };
}

/** Runs a step towards the tunnel and turns its error into a PROXY_ERROR, unless the signal aborted. */
async function blamingProxy<Result>(
  { country }: ConfiguredProxy,
  signal: AbortSignal,
  kind: ProxyErrorKind,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof HandshakeError)
      throw proxyError({ kind: error.kind, country, detail: error.detail ?? '' });
    if (codeOf(error) === 'INVALID_URL')
      throw proxyError({ kind: 'PROXY_REFUSED_BY_POLICY', country, detail: '' });
    throw proxyError({ kind, country, detail: codeOf(error).replace(/^DNS_/, '') });
  }
}

async function secure(
  socket: Socket,
  { protocol, host }: ConfiguredProxy,
  { certificateAuthorities }: ProxyRouteDeps,
  { signal }: RouteContext,
): Promise<Socket> {
  if (protocol !== 'https') return socket;
  return await openTls(socket, {
    host,
    ...(certificateAuthorities && { certificateAuthorities }),
    signal,
    timeoutMs: TLS_TIMEOUT_MS,
  });
}

/** Prefers IPv4, because many proxies lack IPv6 and few lack IPv4. */
function destinationOf(
  { targets }: ConfiguredProxy,
  { host, port }: Target,
  addresses: readonly CheckedAddress[],
): Target {
  if (targets === 'by-name') return { host, port };
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
  return { host: chosen?.address ?? host, port };
}

async function shakeHands(
  { protocol }: ConfiguredProxy,
  socket: Socket,
  request: TunnelRequest,
  signal: AbortSignal,
): Promise<void> {
  const onAbort = () => socket.destroy(signal.reason);
  const onSilence = () => socket.destroy(new HandshakeError('PROXY_SILENT'));
  const stopWaiting = afterSilence(HANDSHAKE_TIMEOUT_MS, onSilence);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await HANDSHAKES[protocol](socket, request);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    stopWaiting();
    signal.removeEventListener('abort', onAbort);
  }
}
