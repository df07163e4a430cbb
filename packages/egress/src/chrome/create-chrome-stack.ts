import { AppError, LIMITS } from '@gleaner/contracts';
import type { Impit } from 'impit';
import type { HttpStack, RequestSender } from '../http/http-stack.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createProxyStarter, type ProxyServer } from '../proxy-server/start-proxy-server.ts';
import type { Transport } from '../transport/create-transport.ts';
import { createTransports } from '../transport/create-transport.ts';
import { describeChrome } from './describe-chrome.ts';
import { navigationHeaders } from './navigation-headers.ts';
import { sendByImpit } from './send-by-impit.ts';
import { sendLikeChrome } from './send-like-chrome.ts';
import { translateImpitError } from './translate-impit-error.ts';

/** Version of Chrome whose TLS and HTTP/2 impit speaks; the headers must match it. */
const CHROME_MAJOR = 151;
const IMPIT_PROFILE = 'chrome151';

/** Long enough never to apply: signals bound every request instead. */
const NO_TIMEOUT_MS = 24 * 3600 * 1000;
/** On the wire, over all hops and attempts of a fetch. */
const MAX_BYTES = 4 * LIMITS.maxPageBytes;

/**
 * Creates the stack that imitates Chrome: plain http over our own connections, with Chrome's headers in their order; https
 * by impit, which connects only through our filtering proxy, so that the policy applies to it as to a browser.
 */
export function createChromeStack({ policy }: { readonly policy: EgressPolicy }): HttpStack {
  const transports = createTransports({});
  const startProxy = createProxyStarter({ policy });
  const chrome = describeChrome(CHROME_MAJOR);
  return {
    open: (route) =>
      openSender({
        transport: transports.over(route),
        startProxy: () => startProxy({ maxBytes: MAX_BYTES, route }),
      }),
    defaultHeaders: (url, own) => navigationHeaders(url, chrome, own),
    close: transports.close,
  };
}

interface SenderDeps {
  readonly transport: Transport;
  readonly startProxy: () => Promise<ProxyServer>;
}

function openSender({ transport, startProxy }: SenderDeps): RequestSender {
  let secure: Promise<ImpitConnection> | undefined;
  return {
    async send(request) {
      const { hop, signal, clock } = request;
      if (hop.url.protocol === 'http:')
        return sendLikeChrome(request, transport.connectPlain(hop.url, { signal, clock }));
      secure ??= openImpit(startProxy);
      const { impit, proxy } = await secure;
      clock.enter('firstByte');
      return sendByImpit(request, {
        impit,
        translate: (error, url) =>
          proxy.failureOf(url.href) ?? exhaustionOf(proxy) ?? translateImpitError(error),
      });
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

function exhaustionOf({ exhausted }: ProxyServer): unknown {
  return exhausted.aborted ? exhausted.reason : undefined;
}
