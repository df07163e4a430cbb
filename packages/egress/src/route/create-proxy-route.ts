import type { Socket } from 'node:net';
import type { CheckedAddress, Lookup } from '../dns/create-lookup.ts';
import { codeOf } from '../errors/code-of.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import type { ConfiguredProxy } from '../proxies/proxy.ts';
import { type ProxyFaultKind, proxyError } from '../proxies/proxy-fault.ts';
import { openTls } from '../transport/open-tls.ts';
import { createDirectRoute } from './create-direct-route.ts';
import { type Handshake, HandshakeFault, type TunnelRequest } from './handshake.ts';
import type { Route, RouteContext, Target } from './route.ts';
import { shakeHandsHttp } from './shake-hands-http.ts';
import { shakeHandsSocks5 } from './shake-hands-socks5.ts';

/** What the routes through proxies share. */
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
 * Through a proxy: the target is resolved here and all its addresses are checked before the proxy hears of it; the proxy's
 * own address is checked like any other. Rejects with what the direct route says of the target, and with PROXY_ERROR.
 */
export function createProxyRoute(proxy: ConfiguredProxy, deps: ProxyRouteDeps): Route {
  const toProxy = createDirectRoute({ ...deps, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return async (target, context) => {
    const { clock, signal } = context;
    clock.enter('dns');
    const addresses = await deps.lookup(target.host, target.port, signal);
    const plain = await blaming(proxy, signal, 'PROXY_UNREACHABLE', () => toProxy(proxy, context));
    clock.enter('proxy');
    const socket = await blaming(proxy, signal, 'PROXY_TLS', () => secure(plain, proxy, deps, context));
    const request = {
      destination: destinationOf(proxy, target, addresses),
      credentials: proxy.credentials,
    };
    await blaming(proxy, signal, 'PROXY_CLOSED', () => shakeHands(proxy, socket, request, signal));
    return socket;
  };
}

/** Does a step on the way to the tunnel; what goes wrong in it becomes a PROXY_ERROR, unless the signal was it. */
async function blaming<Result>(
  { country }: ConfiguredProxy,
  signal: AbortSignal,
  kind: ProxyFaultKind,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    if (fault instanceof HandshakeFault)
      throw proxyError({ kind: fault.kind, country, detail: fault.detail ?? '' });
    if (codeOf(fault) === 'INVALID_URL')
      throw proxyError({ kind: 'PROXY_REFUSED_BY_POLICY', country, detail: '' });
    throw proxyError({ kind, country, detail: codeOf(fault).replace(/^DNS_/, '') });
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
    protocols: ['http/1.1'],
    ...(certificateAuthorities && { certificateAuthorities }),
    signal,
    timeoutMs: TLS_TIMEOUT_MS,
  });
}

/** Proxies without IPv6 are many, those without IPv4 are not. */
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
  const onSilence = () => socket.destroy(new HandshakeFault('PROXY_SILENT'));
  const timer = setTimeout(onSilence, HANDSHAKE_TIMEOUT_MS);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await HANDSHAKES[protocol](socket, request);
  } catch (fault) {
    socket.destroy();
    throw fault;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
