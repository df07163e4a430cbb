import { SaxesParser } from 'saxes';

/** A page that a sitemap or feed lists. */
export interface ListedPage {
  readonly url: string;
  /** Time of its last change as milliseconds since 1970, if it is given and valid. */
  readonly modifiedMs?: number;
}

/** Content of one sitemap, index of sitemaps, feed, or list of URLs in plain text. */
export interface Sitemap {
  readonly pages: readonly ListedPage[];
  /** URLs of further sitemaps, in an index. */
  readonly sitemaps: readonly string[];
  /** Reason why the end, or some entries, are missing: an error in the XML, entities, or a limit. */
  readonly cutBecause?: string;
}

/** The protocol's limit of one file (https://www.sitemaps.org/protocol.html). */
const MAX_ENTRIES = 50_000;
const TOO_MANY = `it lists more than ${MAX_ENTRIES} URLs`;
const MAX_URL_CHARS = 2048;
/** A name or an attribute of an element may grow to this; the parser keeps it in memory. */
const MAX_MARKUP_CHARS = 64 * 1024;

/** End of the parser's message about an entity that is not one of the five of XML; declared ones are never expanded. */
const UNDEFINED_ENTITY = 'undefined entity.';

/** Elements that hold one entry, by local name: sitemaps, indexes, RSS and Atom. */
const ENTRIES = new Set(['url', 'sitemap', 'item', 'entry']);
/** Elements whose text is a URL of the entry. */
const LOCATIONS = new Set(['loc', 'link']);
/** Elements whose text is the time of the last change, the best first. */
const TIMES = ['lastmod', 'updated', 'published', 'pubdate', 'date'];

/**
 * Reads a sitemap in chunks, in constant memory apart from the URLs. Namespaces do not count, since many sitemaps have
 * wrong ones. A file with an error gives the entries before it; entries with undefined entities are left out.
 */
export class SitemapReader {
  readonly #baseUrl: string;
  readonly #parser = new SaxesParser();
  readonly #pages: ListedPage[] = [];
  readonly #sitemaps: string[] = [];
  #path: string[] = [];
  #text = '';
  #entry: { url?: string; times: Map<string, number>; isUnreadable?: boolean } | undefined;
  /** Entries with entities that the file does not define. */
  #unreadable = 0;
  #cutBecause: string | undefined;
  /** Characters since the last event of the parser. */
  #pending = 0;
  /** Undefined until the first character that is not white space. */
  #isXml: boolean | undefined;
  #line = '';

  /** @param baseUrl URL of the sitemap, against which relative URLs are resolved */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes));
    this.#parser.on('text', (text) => this.#append(text));
    this.#parser.on('cdata', (text) => this.#append(text));
    this.#parser.on('closetag', ({ name }) => this.#close(localName(name)));
    this.#parser.on('error', (error) => this.#fail(error.message));
  }

  /** True when the rest of the file cannot add anything. */
  get isDone(): boolean {
    return this.#cutBecause !== undefined;
  }

  /** Reads the next part of the text. */
  write(chunk: string): void {
    const text = this.#isXml === undefined ? chunk.replace(/^[\ufeff\s]+/, '') : chunk;
    if (text === '' || this.isDone) return;
    this.#isXml ??= text.startsWith('<');
    if (this.#isXml) this.#writeXml(text);
    else this.#writeLines(text);
  }

  /** Returns all that was read. */
  finish(): Sitemap {
    if (this.#isXml === false) this.#addLine(this.#line);
    else if (!this.isDone && this.#isXml) this.#parser.close();
    const isIncomplete = this.#unreadable > 0;
    const cutBecause = this.#cutBecause ?? (isIncomplete ? unreadable(this.#unreadable) : undefined);
    return {
      pages: this.#pages,
      sitemaps: this.#sitemaps,
      ...(cutBecause !== undefined && { cutBecause }),
    };
  }

  #writeXml(text: string): void {
    for (let start = 0; start < text.length && !this.isDone; start += MAX_MARKUP_CHARS) {
      const part = text.slice(start, start + MAX_MARKUP_CHARS);
      this.#pending += part.length;
      this.#parser.write(part);
      if (this.#pending > 2 * MAX_MARKUP_CHARS) this.#cut('an element, a comment or a text is too long');
    }
  }

  #open(name: string, attributes: Readonly<Record<string, unknown>>): void {
    this.#pending = 0;
    this.#path.push(name);
    this.#text = '';
    if (this.#path.length > 64) this.#cut('the elements nest too deeply');
    if (ENTRIES.has(name)) this.#entry = { times: new Map() };
    // Atom: <link href="…" rel="alternate"/>.
    const { href, rel = 'alternate' } = attributes;
    if (name === 'link' && this.#entry && typeof href === 'string' && rel === 'alternate')
      this.#entry.url ??= href;
  }

  #append(text: string): void {
    this.#pending = 0;
    if (this.#text.length <= MAX_URL_CHARS) this.#text += text.slice(0, MAX_URL_CHARS + 1);
  }

  #close(name: string): void {
    this.#pending = 0;
    this.#path.pop();
    const entry = this.#entry;
    if (!entry) return;
    const text = this.#text.trim();
    this.#text = '';
    if (ENTRIES.has(name)) {
      this.#entry = undefined;
      this.#add(name, entry);
    } else if (ENTRIES.has(this.#path.at(-1) ?? '')) {
      // Only children of the entry itself: <image:loc> and the like are deeper.
      if (LOCATIONS.has(name) && text !== '') entry.url ??= text;
      if (TIMES.includes(name)) entry.times.set(name, Date.parse(text));
    }
  }

  #add(
    name: string,
    { url, times, isUnreadable }: { url?: string; times: Map<string, number>; isUnreadable?: boolean },
  ): void {
    if (isUnreadable) {
      this.#unreadable += 1;
      return;
    }
    const href = this.#resolve(url);
    // The parser goes on after an error, but what it reads then is a guess.
    if (href === undefined || this.isDone) return;
    if (this.#isFull) this.#cut(TOO_MANY);
    else if (name === 'sitemap') this.#sitemaps.push(href);
    else this.#pages.push({ url: href, ...latestOf(times) });
  }

  #writeLines(text: string): void {
    const lines = (this.#line + text).split(/\r\n|\r|\n/);
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#addLine(line);
    if (this.#line.length > MAX_MARKUP_CHARS) this.#cut('a line is too long');
  }

  #addLine(line: string): void {
    const url = line.trim();
    if (!/^https?:\/\//i.test(url) || this.isDone) return;
    const href = this.#resolve(url);
    if (href === undefined) return;
    if (this.#isFull) this.#cut(TOO_MANY);
    else this.#pages.push({ url: href });
  }

  get #isFull(): boolean {
    return this.#pages.length + this.#sitemaps.length >= MAX_ENTRIES;
  }

  /** Returns the absolute URL; nothing if it is not http or https, or too long. */
  #resolve(url = ''): string | undefined {
    if (url === '' || url.length > MAX_URL_CHARS) return undefined;
    const resolved = URL.parse(url, this.#baseUrl);
    return resolved && /^https?:$/.test(resolved.protocol) ? resolved.href : undefined;
  }

  /** Leaves out the entry that has an entity without a meaning; any other error ends the reading. */
  #fail(message: string): void {
    const isEntity = message.endsWith(UNDEFINED_ENTITY);
    if (isEntity && this.#entry) this.#entry.isUnreadable = true;
    else if (!isEntity) this.#cut(`the XML has an error: ${message}`);
  }

  #cut(reason: string): void {
    this.#cutBecause ??= reason;
  }
}

function unreadable(count: number): string {
  return `${count} of its entries have undefined entities (only the five of XML are read)`;
}

/** Returns the name without its prefix, without case. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function latestOf(times: ReadonlyMap<string, number>): { modifiedMs?: number } {
  const name = TIMES.find((candidate) => Number.isFinite(times.get(candidate)));
  const modifiedMs = name === undefined ? undefined : times.get(name);
  return modifiedMs === undefined ? {} : { modifiedMs };
}
