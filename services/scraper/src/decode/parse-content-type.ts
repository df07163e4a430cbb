/** A Content-Type header taken apart. */
export interface ContentType {
  /** Type and subtype in lower case; '' when there is none. */
  readonly essence: string;
  /** The first charset parameter as it was written. */
  readonly charset: string | undefined;
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?=;|,|$)`);
const PARAMETER = /;([^=;]*)=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

/** What servers send when they don't know: browsers look at the bytes then. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(['', 'unknown/unknown', 'application/unknown', '*/*']);

/** Takes a header apart as https://mimesniff.spec.whatwg.org/#parsing-a-mime-type does: lenient, the first charset counts. */
export function parseContentType(header: string | undefined): ContentType {
  const essence = ESSENCE.exec(header ?? '')?.[1]?.toLowerCase() ?? '';
  for (const [, name, quoted, plain] of (header ?? '').matchAll(PARAMETER)) {
    if (name?.trim().toLowerCase() !== 'charset') continue;
    const charset = quoted?.replace(/\\(.)/g, '$1') ?? plain?.replace(/,.*$/, '').trim() ?? '';
    if (charset !== '') return { essence, charset };
  }
  return { essence, charset: undefined };
}

/** Whether an essence says nothing of what the body is (https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm). */
export function isUnknownType(essence: string): boolean {
  return UNKNOWN_TYPES.has(essence);
}
