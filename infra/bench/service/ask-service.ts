import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Stack } from '../../stack/start-stack.ts';
import { SELECTORS } from './do-work-directly.ts';

/**
 * What the service takes from the page. It is asked by the barest client there is: what a client adds for its own comfort
 * is no time of the service.
 */
export async function askService(
  { url: serviceUrl, apiKey }: Pick<Stack, 'url' | 'apiKey'>,
  url: string,
  agent: Agent,
): Promise<unknown> {
  const body = Buffer.from(JSON.stringify({ url, selectors: SELECTORS }));
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(`${serviceUrl}/v1/scrape`, { method: 'POST', agent, headers });
    call.on('response', (response) => resolve(text(response)));
    call.on('error', reject);
    call.end(body);
  });
  const { data } = JSON.parse(answer) as { data: unknown };
  return data;
}
