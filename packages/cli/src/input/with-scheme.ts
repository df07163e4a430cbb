/** Adds the scheme that people leave out. */
export function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) || !/^[\w-]+(\.[\w-]+)*(:\d+)?([/?#]|$)/.test(url)
    ? url
    : `https://${url}`;
}
