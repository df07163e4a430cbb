/** Bounds on the search terms in the index of a job. */
const MAX_TERMS = 32;
const MAX_TERM_LENGTH = 64;
/** Words of a search that count. */
const MAX_WORDS = 5;
/** Hosts of a job that are shown and found. */
const MAX_HOSTS = 5;
const MAX_URLS_READ = 1000;

/** Returns the first few different hosts of URLs. */
export function hostsOf(urls: readonly string[]): string[] {
  const hosts = new Set<string>();
  for (const url of urls.slice(0, MAX_URLS_READ)) {
    const host = URL.parse(url)?.host;
    if (host) hosts.add(host);
    if (hosts.size === MAX_HOSTS) break;
  }
  return [...hosts];
}

/** Returns the terms by which a job is found: the words of its name, its hosts and the domains that they belong to. */
export function searchTermsOf(name: string, hosts: readonly string[]): string[] {
  const words = wordsOf(name);
  const terms = [...hosts.flatMap(domainsOf), ...words, ...words.flatMap(partsOf)];
  return [...new Set(terms.map((term) => term.slice(0, MAX_TERM_LENGTH)))].slice(0, MAX_TERMS);
}

/** Returns the condition for the jobs that have, for each word of a search, a term that begins with it. */
export function searchFilter(search: string): { $and: { searchTerms: { $regex: string } }[] } {
  const words = wordsOf(search)
    .map((word) => word.replace(/^https?:\/\//, '').split(/[/?#]/, 1)[0] ?? '')
    .filter(Boolean);
  const prefixes = (words.length > 0 ? words : ['\u0000']).slice(0, MAX_WORDS);
  return {
    $and: prefixes.map((word) => ({
      searchTerms: { $regex: `^${word.slice(0, MAX_TERM_LENGTH).replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')}` },
    })),
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function partsOf(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** Returns a host and the domains above it, without the last one: `www.shop.example:8080`, `shop.example:8080`. */
function domainsOf(host: string): string[] {
  const labels = host.split('.');
  if (/^[\d.:[\]a-f]+$/.test(host)) return [host];
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join('.'))
    .concat(labels.length === 1 ? host : []);
}
