import type { Brand, ChromeDescription } from './describe-chrome.ts';

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;
const CLIENT_HINTS: readonly string[] = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];

/**
 * Returns Chrome's headers for a URL typed by a user, in its order; names in lower case. Origins that are not trustworthy
 * (https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy) get fewer. With a User-Agent of the caller no
 * client hints are sent, since they would contradict it.
 */
export function navigationHeaders(
  url: URL,
  chrome: ChromeDescription,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const isTrustworthy = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
  const headers = Object.entries({
    'sec-ch-ua': isTrustworthy && renderBrands(chrome.brands),
    'sec-ch-ua-mobile': isTrustworthy && '?0',
    'sec-ch-ua-platform': isTrustworthy && `"${chrome.platform}"`,
    'upgrade-insecure-requests': '1',
    'user-agent': chrome.userAgent,
    accept:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'sec-fetch-site': isTrustworthy && 'none',
    'sec-fetch-mode': isTrustworthy && 'navigate',
    'sec-fetch-user': isTrustworthy && '?1',
    'sec-fetch-dest': isTrustworthy && 'document',
    'accept-encoding': isTrustworthy ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
    'accept-language': 'en-US,en;q=0.9',
  });
  return Object.fromEntries(
    headers.flatMap(([name, value]) => {
      const isContradicted = own['user-agent'] !== undefined && CLIENT_HINTS.includes(name);
      return value === false || isContradicted ? [] : [[name, value]];
    }),
  );
}

function renderBrands(brands: readonly Brand[]): string {
  return brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ');
}
