import { networkInterfaces } from 'node:os';
import { addressOf } from './ports.ts';
import type { Stack } from './start-stack.ts';

/** The facts that the banner shows. */
export type BannerFacts = Pick<Stack, 'url' | 'demoUrl' | 'logs' | 'metricsUrl'> & {
  /** Address of the console; at a terminal, one that signs in, once. */
  readonly consoleLink: string;
  /** The admin key at a terminal; elsewhere, such as in a journal that others read, the command that prints it. */
  readonly apiKey: string;
  /** The address that the API listens on. */
  readonly host: string;
  /** True in a container, where the address and its port are only its engine's to reach. */
  readonly isContainer: boolean;
  /** True when this is the system's administrator, for whom Chromium has no sandbox. */
  readonly isRoot: boolean;
  /** Milliseconds from the command to here. */
  readonly tookMs: number;
};

/** Renders the lines for the terminal once everything is ready: addresses, the key, and a first scrape to copy. */
export function banner(facts: BannerFacts): string {
  const { url, demoUrl, apiKey, logs, metricsUrl, consoleLink, isRoot, tookMs } = facts;
  const host = facts.isContainer ? LOOPBACK : facts.host;
  const rows = [
    ['Console', consoleLink],
    ['API key', apiKey],
    ['Docs', `${url}/docs`],
    ['Demo site', demoUrl],
    ['Logs', logs],
    ['Metrics', `${metricsUrl}/metrics`],
  ];
  const others = addressesForOthers(host, Number(new URL(url).port));
  return `
  Gleaner is ready on ${[url, ...others].join(' and ')}  (${(tookMs / 1000).toFixed(1)} s)

${rows.map(([name = '', value]) => `    ${name.padEnd(9)} ${value}`).join('\n')}
${isLoopback(host) ? '' : OPEN_TO_THE_NETWORK}${isRoot ? WITHOUT_SANDBOX : ''}
  Try it:

    ${firstScrape(url, demoUrl, apiKey)}

  Ctrl-C stops everything.
`;
}

const LOOPBACK = '127.0.0.1';

const OPEN_TO_THE_NETWORK = `
  Warning: the API is open to the network over plain HTTP, so others on the network can read API keys and data.
  Put a reverse proxy with TLS in front of it, or leave HOST at 127.0.0.1.
`;

const WITHOUT_SANDBOX = `
  Warning: Gleaner runs as root, for whom Chromium has no sandbox. Run it as a user of its own.
`;

/** Returns the URLs for other machines to reach a service listening on all addresses of this one. */
function addressesForOthers(host: string, port: number): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => addressOf(address, port));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Renders a curl command that scrapes the books of the demo site's first page. */
export function firstScrape(url: string, demoUrl: string, apiKey: string): string {
  const body = {
    url: demoUrl,
    selectors: {
      heading: 'h1',
      books: {
        selector: '.book',
        all: true,
        fields: { title: 'h2', price: '.price', link: 'a::attr(href)' },
      },
    },
  };
  return [
    `curl -s ${url}/v1/scrape \\`,
    `-H "Authorization: Bearer ${apiKey}" \\`,
    `-H 'Content-Type: application/json' \\`,
    `-d '${JSON.stringify(body)}'`,
  ].join('\n      ');
}
