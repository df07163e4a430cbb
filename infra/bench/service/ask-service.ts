import { type Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Stack } from '../../stack/start-stack.ts';
import { SELECTORS } from './do-work-directly.ts';

/**
 * Scrapes the page through the service. The client is as plain as possible, so that its own time does not count as time of
 * the service.
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
