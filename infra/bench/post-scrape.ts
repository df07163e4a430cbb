import type { Stack } from '../stack/start-stack.ts';

/** Makes one scrape over REST and returns the response, successful or not. */
export function postScrape({ url, apiKey }: Pick<Stack, 'url' | 'apiKey'>, body: object): Promise<Response> {
  return fetch(`${url}/v1/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
