import { toAppError } from '@gleaner/contracts';
import { createChromeClient, createEgressPolicy } from '../src/index.ts';

/** Fetches URLs as Chrome in a process of its own, whose authorities SSL_CERT_FILE names; prints the outcomes. */
const { allow, urls, headers } = JSON.parse(process.argv[2] ?? '{}');
const client = createChromeClient({ policy: createEgressPolicy({ allow }) });
const outcomes = await Promise.all(
  urls.map((url: string) => fetchUrl(url, url.includes('/stall/') ? 20_000 : 240_000)),
);
client.close();
process.stdout.write(JSON.stringify(outcomes));

async function fetchUrl(url: string, timeoutMs: number): Promise<object> {
  try {
    const request = { url, deadlineMs: Date.now() + timeoutMs, headers };
    const page = await client.fetchPage(request, new AbortController().signal);
    return { ...page, body: page.body.toString('utf8').slice(0, 10_000) };
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    // A busy machine may need more time to come to the stage in which the page stalls.
    const stage = url.endsWith('/mid-body') ? 'reading the body' : 'waiting for the first byte';
    const isTooSoon = code === 'TIMEOUT' && !message.includes(stage);
    return isTooSoon && timeoutMs < 80_000 ? fetchUrl(url, timeoutMs * 2) : { code, message };
  }
}
