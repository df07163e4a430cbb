import type { Stack } from './start-stack.ts';

/** What the person at the terminal sees when everything is ready: where, with which key, and a first scrape. */
export function banner({ url, demoUrl, apiKey, logs }: Stack, tookMs: number): string {
  return `
  Gleaner is ready on ${url}  (${(tookMs / 1000).toFixed(1)} s)

    API key   ${apiKey}
    Docs      ${url}/docs
    Demo site ${demoUrl}
    Logs      ${logs}

  Try it:

    ${firstScrape(url, demoUrl, apiKey)}

  Ctrl-C stops everything.
`;
}

/** A curl command that takes the books of the demo site's first page. */
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
    `-H 'Authorization: Bearer ${apiKey}' \\`,
    `-H 'Content-Type: application/json' \\`,
    `-d '${JSON.stringify(body)}'`,
  ].join('\n      ');
}
