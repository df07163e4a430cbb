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
import { type Brand, type ChromeDescription, describeChrome } from './describe-chrome.ts';
import { type ChromeSending, sendByImpit, translateImpitError } from './send-by-impit.ts';

interface ChromeClientDeps {
  readonly policy: EgressPolicy;
  /** Opens connections; by default directly to the target. */
  readonly route?: Route;
  /** Largest body; by default that of a page. */
  readonly largestBodyBytes?: number;
}

/** Version of Chrome whose TLS and HTTP/2 impit speaks; the headers must match it. */
const CHROME_MAJOR = 151;
const IMPIT_PROFILE = 'chrome151';

/** Long enough never to apply: signals bound every request instead. */
const NO_TIMEOUT_MS = 24 * 3600 * 1000;
/** Largest bodies that all hops and attempts of a fetch take on the wire. */
const MAX_BODIES = 4;

/** Creates a client whose requests match Chrome's: headers, their order, TLS and HTTP/2. The policy applies as in every client. */
export function createChromeClient(deps: ChromeClientDeps): HttpClient {
  return createHttpClient({ ...deps, stack: createChromeStack(deps) });
}

/**
 * Creates the stack that imitates Chrome: plain http over our own connections, with Chrome's headers in their order; https
 * by impit, which connects only through our filtering proxy, so that the policy applies to it as to a browser.
 */
function createChromeStack({
  policy,
  largestBodyBytes = LIMITS.maxPageBytes,
}: Pick<ChromeClientDeps, 'policy' | 'largestBodyBytes'>): HttpStack {
  const connections = createConnections();
  const startProxy = createProxyStarter({ policy });
  const chrome = describeChrome(CHROME_MAJOR);
  return {
    open: (route) =>
      openSender({
        sendPlain: (request) =>
          sendOverHttp1(request, connections.over(route, request.hop.url, request), toRawHeaders(request)),
        startProxy: () => startProxy({ maxBytes: MAX_BODIES * largestBodyBytes, route }),
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
function toRawHeaders({ hop: { url, method, body }, headers }: HopRequest): string[] {
  const all: Record<string, string> = {
    host: url.host,
    connection: 'keep-alive',
    ...((body || method === 'POST' || method === 'PUT') && { 'content-length': String(body?.length ?? 0) }),
    ...headers,
  };
  return Object.entries(all).flatMap(([name, value]) => [spell(name), value]);
}

function spell(name: string): string {
  return LOWER_CASE.test(name) ? name : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;
const CLIENT_HINTS: readonly string[] = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];

/**
 * Returns Chrome's headers for a URL typed by a user, in its order; names in lower case. Origins that are not trustworthy
 * (https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy) get fewer. With a User-Agent of the caller no
 * client hints are sent, since they would contradict it.
 */
function navigationHeaders(
  url: URL,
  chrome: ChromeDescription,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const isTrustworthy = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
  const headers = Object.entries({
    'sec-ch-ua': isTrustworthy && renderBrands(chrome.brands),
    'sec-ch-ua-mobile': isTrustworthy && '?0',
    'sec-ch-ua-platform': isTrustworthy && `"${chrome.platform}"`,
    'upgrade-insecure-requests': '1',
    'user-agent': chrome.userAgent,
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'sec-fetch-site': isTrustworthy && 'none',
    'sec-fetch-mode': isTrustworthy && 'navigate',
    'sec-fetch-user': isTrustworthy && '?1',
    'sec-fetch-dest': isTrustworthy && 'document',
    'accept-encoding': isTrustworthy ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
    'accept-language': 'en-US,en;q=0.9',
  });
  return Object.fromEntries(
    headers.flatMap(([name, value]) => {
      const isContradicted = own['user-agent'] !== undefined && CLIENT_HINTS.includes(name);
      return value === false || isContradicted ? [] : [[name, value]];
    }),
  );
}

function renderBrands(brands: readonly Brand[]): string {
  return brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ');
}
