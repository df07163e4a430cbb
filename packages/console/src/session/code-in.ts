/** Returns the one-time code in the fragment of an address, such as `#code=…`. */
export function codeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#\/?/, '')).get('code') ?? undefined;
}
