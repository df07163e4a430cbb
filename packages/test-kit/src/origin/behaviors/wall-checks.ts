import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../behavior.ts';
import { FINGERPRINT_SCRIPT } from './fingerprint-script.ts';

/** A check of a wall: of the request alone, or by a script that runs before the page is shown. */
export type WallCheck = RequestCheck | ScriptCheck;

interface RequestCheck {
  readonly kind: 'request';
  readonly passes: (exchange: Exchange) => boolean;
}

interface ScriptCheck {
  readonly kind: 'script';
  /** Body of an async function that returns the names of the failed checks as an array. */
  readonly finds: string;
}

/** Checks by name. */
export const WALL_CHECKS: Readonly<Record<string, WallCheck>> = {
  /** Sends the headers that every browser sends. */
  headers: { kind: 'request', passes: hasBrowserHeaders },
  /** Sends headers in the order and the spelling of Chrome. */
  'header-order': { kind: 'request', passes: hasChromeOrder },
  /** Sends a User-Agent and client hints that agree. */
  coherence: { kind: 'request', passes: isCoherent },
  /** Comes from the address of `?from=`. */
  address: {
    kind: 'request',
    passes: ({ request, query }) => request.socket.remoteAddress === query.get('from'),
  },
  /** Runs scripts. */
  script: { kind: 'script', finds: 'return []' },
  /** Shows no sign of automation. */
  webdriver: { kind: 'script', finds: 'return navigator.webdriver ? ["webdriver"] : []' },
  /** Has the same browser's properties everywhere in the page, in frames and in workers. */
  fingerprint: { kind: 'script', finds: FINGERPRINT_SCRIPT },
};

const BROWSER_HEADERS = ['sec-ch-ua', 'sec-fetch-mode', 'accept-language', 'upgrade-insecure-requests'];

function hasBrowserHeaders({ request: { headers } }: Exchange): boolean {
  return (
    BROWSER_HEADERS.every((name) => headers[name] !== undefined) &&
    /^Mozilla\/5\.0 .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/.test(headers['user-agent'] ?? '')
  );
}

const CHROME_ORDER = [
  ...['Host', 'Connection', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'],
  ...['Upgrade-Insecure-Requests', 'User-Agent', 'Accept', 'Sec-Fetch-Site', 'Sec-Fetch-Mode'],
  ...['Sec-Fetch-User', 'Sec-Fetch-Dest', 'Accept-Encoding', 'Accept-Language'],
];

function hasChromeOrder({ request }: Exchange): boolean {
  const names = (request as IncomingMessage).rawHeaders.filter((_text, index) => index % 2 === 0);
  return names.filter((name) => name !== 'Cookie').join() === CHROME_ORDER.join();
}

function isCoherent({ request: { headers } }: Exchange): boolean {
  const userAgent = headers['user-agent'] ?? '';
  const major = /Chrome\/(\d+)/.exec(userAgent)?.[1];
  const system = { '"Linux"': 'X11; Linux', '"Windows"': 'Windows NT', '"macOS"': 'Macintosh' };
  const platform = String(headers['sec-ch-ua-platform']) as keyof typeof system;
  return (
    String(headers['sec-ch-ua']).includes(`"Google Chrome";v="${major}"`) &&
    userAgent.includes(system[platform] ?? 'no system') &&
    !userAgent.includes('Headless')
  );
}
