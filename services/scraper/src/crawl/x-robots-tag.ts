/** Directives that contain a colon themselves; every other colon ends the name of a crawler. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/** Crawlers whose directives hold for this one. */
const OWN_NAMES: ReadonlySet<string> = new Set(['*', 'robots', 'gleaner']);

/**
 * Returns true if an X-Robots-Tag header asks for none of the links of a page to be followed. The name of a crawler
 * (`otherbot: nofollow`) holds for all directives up to the next name.
 */
export function forbidsLinks(header = ''): boolean {
  let isForUs = true;
  for (const part of header.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isNamed = colon >= 0 && !WITH_VALUE.test(name);
    if (isNamed) isForUs = OWN_NAMES.has(name);
    const directive = (isNamed ? part.slice(colon + 1) : part).trim();
    if (isForUs && (directive === 'nofollow' || directive === 'none')) return true;
  }
  return false;
}
