import { encodeBody, methodOf, type ScrapeRequest, timeoutMsOf } from '@gleaner/contracts';
import { PLAIN_HEADERS } from '@gleaner/egress';

/** Headers that curl sets by itself: those of its own connection, and of what it decodes. */
const LEFT_OUT: ReadonlySet<string> = new Set(['accept-encoding', 'cookie', 'host']);

/** Returns a command that requests a page as the first attempt at it did; what was redacted has to be filled in. */
export function renderCurl(request: ScrapeRequest): string {
  const { url, headers: own = {}, cookies = [], proxy } = request;
  const lowerCased = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const method = methodOf(request);
  const sentBody = encodeBody(request);
  const headers = {
    ...PLAIN_HEADERS,
    ...(sentBody && { 'content-type': sentBody.contentType }),
    ...Object.fromEntries(lowerCased),
  };
  const sent = Object.entries(headers).filter(([name]) => !LEFT_OUT.has(name));
  const pairs = cookies.map(({ name, value }) => `${name}=${value}`);
  const ownCookie = lowerCased.flatMap(([name, value]) => (name === 'cookie' ? [value] : []));
  return [
    'curl --include --location --compressed --globoff',
    `--max-time ${Math.ceil(timeoutMsOf(request) / 1000)}`,
    ...(proxy === undefined ? [] : [`--proxy ${quote(`[a proxy of ${proxy}]`)}`]),
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`--request ${method}`]),
    ...sent.map(([name, value]) => `--header ${quote(`${name}: ${value}`)}`),
    ...[...ownCookie, ...pairs].map((pair) => `--cookie ${quote(pair)}`),
    ...(sentBody ? [`--data-raw ${quote(sentBody.text)}`] : []),
    `--url ${quote(url)}`,
  ].join(' ');
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
