import type { Stack } from '../stack/start-stack.ts';

/** One scrape over REST, as a caller does it; resolves with the answer, whatever it is. */
export function postScrape({ url, apiKey }: Pick<Stack, 'url' | 'apiKey'>, body: object): Promise<Response> {
  return fetch(`${url}/v1/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
