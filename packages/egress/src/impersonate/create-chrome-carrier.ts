import { AppError, LIMITS } from '@gleaner/contracts';
import type { Impit } from 'impit';
import type { Carriage, Carrier } from '../carrier/carrier.ts';
import type { EgressPolicy } from '../policy/create-egress-policy.ts';
import { createProxyStarter, type ProxyServer } from '../proxy-server/start-proxy-server.ts';
import type { Transport } from '../transport/create-transport.ts';
import { createTransports } from '../transport/create-transports.ts';
import { describeChrome } from './describe-chrome.ts';
import { navigationHeaders } from './navigation-headers.ts';
import { sendAsChrome } from './send-as-chrome.ts';
import { sendLikeChrome } from './send-like-chrome.ts';
import { translateFault } from './translate-fault.ts';

/** The Chrome whose TLS and HTTP/2 impit speaks; its headers must be those of the same. */
const CHROME_MAJOR = 151;
const IMPIT_PROFILE = 'chrome151';

/** Signals bound every request; impit's own time-out is only not to be in their way. */
const NO_TIMEOUT_MS = 24 * 3600 * 1000;
/** On the wire, over all hops and attempts of a fetch. */
const MAX_BYTES = 4 * LIMITS.maxPageBytes;

/**
 * Builds the carrier that passes for Chrome: plain http over connections of our own, with Chrome's headers in their order;
 * https by impit, which has no way out but a filtering proxy of ours, so that the policy holds for it as for a browser.
 */
export function createChromeCarrier({ policy }: { readonly policy: EgressPolicy }): Carrier {
  const transports = createTransports({});
  const startProxy = createProxyStarter({ policy });
  const chrome = describeChrome(CHROME_MAJOR);
  return {
    open: (route) =>
      openCarriage({
        transport: transports.over(route),
        startProxy: () => startProxy({ maxBytes: MAX_BYTES, route }),
      }),
    defaultHeaders: (url, own) => navigationHeaders(url, chrome, own),
    close: transports.close,
  };
}

interface CarriageDeps {
  readonly transport: Transport;
  readonly startProxy: () => Promise<ProxyServer>;
}

function openCarriage({ transport, startProxy }: CarriageDeps): Carriage {
  let secure: Promise<SecureWay> | undefined;
  return {
    async send(parcel) {
      const { hop, signal, clock } = parcel;
      if (hop.url.protocol === 'http:')
        return sendLikeChrome(parcel, transport.bookPlain(hop.url, { signal, clock }));
      secure ??= openSecureWay(startProxy);
      const { impit, proxy } = await secure;
      clock.enter('waiting');
      return sendAsChrome(parcel, {
        impit,
        translate: (fault, url) => proxy.failureOf(url.href) ?? exhaustionOf(proxy) ?? translateFault(fault),
      });
    },
    async [Symbol.asyncDispose]() {
      const way = await secure?.catch(() => undefined);
      await way?.proxy.close();
    },
  };
}

interface SecureWay {
  readonly impit: Impit;
  readonly proxy: ProxyServer;
}

/** impit is loaded when it is first wanted: its native code takes memory and a quarter of a second. */
async function openSecureWay(startProxy: () => Promise<ProxyServer>): Promise<SecureWay> {
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
      message: 'The native module that speaks as Chrome does (impit) does not load on this machine.',
      cause,
    });
  });
}

function exhaustionOf({ exhausted }: ProxyServer): unknown {
  return exhausted.aborted ? exhausted.reason : undefined;
}
