import { AppError, LIMITS } from '@gleaner/contracts';
import type { Impit } from 'impit';
import { createHttpClient } from '../client/create-http-client.ts';
import type { HttpClient } from '../client/http-client.ts';
import { createConnections } from '../http/connections.ts';
import type { HopRequest, HttpStack, RequestSender } from '../http/http-stack.ts';
import { sendOverHttp1 } from '../http/http1-request.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createProxyStarter, type ProxyServer } from '../proxy-server/start-proxy-server.ts';
import type { Route } from '../route/route.ts';
import { describeChrome } from './describe-chrome.ts';
import { navigationHeaders } from './navigation-headers.ts';
import { type ChromeSending, sendByImpit, translateImpitError } from './send-by-impit.ts';

/** Dependencies of the client. */
export interface ChromeClientDeps {
  readonly policy: EgressPolicy;
  /** Opens connections; by default directly to the target. */
  readonly route?: Route;
}

/** Version of Chrome whose TLS and HTTP/2 impit speaks; the headers must match it. */
const CHROME_MAJOR = 151;
const IMPIT_PROFILE = 'chrome151';

/** Long enough never to apply: signals bound every request instead. */
const NO_TIMEOUT_MS = 24 * 3600 * 1000;
/** On the wire, over all hops and attempts of a fetch. */
const MAX_BYTES = 4 * LIMITS.maxPageBytes;

/** Creates a client whose requests match Chrome's: headers, their order, TLS and HTTP/2. The policy applies as in every client. */
export function createChromeClient(deps: ChromeClientDeps): HttpClient {
  return createHttpClient({ ...deps, stack: createChromeStack(deps.policy) });
}

/**
 * Creates the stack that imitates Chrome: plain http over our own connections, with Chrome's headers in their order; https
 * by impit, which connects only through our filtering proxy, so that the policy applies to it as to a browser.
 */
function createChromeStack(policy: EgressPolicy): HttpStack {
  const connections = createConnections();
  const startProxy = createProxyStarter({ policy });
  const chrome = describeChrome(CHROME_MAJOR);
  return {
    open: (route) =>
      openSender({
        sendPlain: (request) =>
          sendOverHttp1(request, connections.over(route, request.hop.url, request), toRawHeaders(request)),
        startProxy: () => startProxy({ maxBytes: MAX_BYTES, route }),
      }),
    defaultHeaders: (url, own) => navigationHeaders(url, chrome, own),
    close: connections.close,
  };
}

interface SenderDeps {
  readonly sendPlain: RequestSender['send'];
  readonly startProxy: () => Promise<ProxyServer>;
}

function openSender({ sendPlain, startProxy }: SenderDeps): RequestSender {
  let secure: Promise<ImpitConnection> | undefined;
  return {
    send(request) {
      if (request.hop.url.protocol === 'http:') return sendPlain(request);
      secure ??= openImpit(startProxy);
      return sendByImpit(request, secure.then(sendingBy));
    },
    async [Symbol.asyncDispose]() {
      const opened = await secure?.catch(() => undefined);
      await opened?.proxy.close();
    },
  };
}

interface ImpitConnection {
  readonly impit: Impit;
  readonly proxy: ProxyServer;
}

/** Loads impit on first use, because its native code takes memory and time. */
async function openImpit(startProxy: () => Promise<ProxyServer>): Promise<ImpitConnection> {
  const [{ Impit }, proxy] = await Promise.all([loadImpit(), startProxy()]);
  const impit = new Impit({
    browser: IMPIT_PROFILE,
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    followRedirects: false,
    timeout: NO_TIMEOUT_MS,
  });
  return { impit, proxy };
}

async function loadImpit(): Promise<typeof import('impit')> {
  return await import('impit').catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'The native module impit, which imitates Chrome, cannot be loaded on this machine.',
      cause,
    });
  });
}

function sendingBy({ impit, proxy }: ImpitConnection): ChromeSending {
  const exhaustion = () => (proxy.exhausted.aborted ? proxy.exhausted.reason : undefined);
  return {
    impit,
    translate: (error, url) => proxy.failureOf(url.href) ?? exhaustion() ?? translateImpitError(error),
  };
}

/** The only headers that Chrome writes in lower case over HTTP/1.1. */
const LOWER_CASE = /^sec-ch-/;

/** Returns names and values in turn, in Chrome's order and spelling, which node sends unchanged: Host first, then Connection. */
function toRawHeaders({ hop: { url, body }, headers }: HopRequest): string[] {
  const all: Record<string, string> = {
    host: url.host,
    connection: 'keep-alive',
    ...(body && { 'content-length': String(body.length) }),
    ...headers,
  };
  return Object.entries(all).flatMap(([name, value]) => [spell(name), value]);
}

function spell(name: string): string {
  return LOWER_CASE.test(name) ? name : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
