/** Why a request cannot go out through a country, as the end of a sentence that begins with `proxy`. */
export function describeNoProxies(countries: readonly string[]): string {
  return countries.length > 0
    ? `names a country without proxies; there are: ${countries.join(', ')}`
    : 'cannot be used: no proxies are configured here, which PROXIES or PROXIES_FILE would do';
}
