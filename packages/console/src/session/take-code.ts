/** Returns the one-time code in the fragment of an address, such as `#code=…`. */
export function codeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#\/?/, '')).get('code') ?? undefined;
}

/** Returns the one-time code of the page's address and removes it from there and from the history. */
export function takeCode(): string | undefined {
  const code = codeIn(location.hash);
  if (code) history.replaceState(null, '', `${location.pathname}${location.search}`);
  return code;
}
