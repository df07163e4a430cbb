import { LenientXmlReader, skipToXml } from '@gleaner/xml';
import {
  type EntryName,
  type ListElement,
  ListedEntry,
  type ListedPage,
  resolveUrl,
} from './listed-entry.ts';

/** Content of one sitemap, index of sitemaps, feed, or list of URLs in plain text. */
export interface Sitemap {
  readonly pages: readonly ListedPage[];
  /** URLs of further sitemaps, in an index. */
  readonly sitemaps: readonly string[];
  /** Reason why the end, or some entries, are missing: a file that was cut, entities, or a limit. */
  readonly cutBecause?: string;
}

/** The protocol's limit of one file (https://www.sitemaps.org/protocol.html). */
const MAX_ENTRIES = 50_000;
const TOO_MANY = `it lists more than ${MAX_ENTRIES} URLs`;
const MAX_TEXT_CHARS = 4096;
const MAX_DEPTH = 1000;
/** A tag or a comment may grow to this; the reader keeps it in memory. */
const MAX_MARKUP_CHARS = 64 * 1024;

const ENTRIES: ReadonlySet<string> = new Set<EntryName>(['url', 'sitemap', 'item', 'entry']);

/**
 * Reads a sitemap in chunks, in constant memory apart from the URLs. Namespaces do not count, since many sitemaps have
 * wrong ones, and neither do errors of the XML, as far as its elements can be told; entries whose URL has an entity that the
 * file declares are left out.
 */
export class SitemapReader {
  readonly #baseUrl: string;
  readonly #reader = new LenientXmlReader({
    open: (name, attributes) => this.#open(name, attributes),
    close: () => this.#close(),
    text: (text) => this.#append(text),
    cdata: (text) => this.#append(text),
    doctype: () => {
      this.#hasDoctype = true;
    },
    entity: () => {
      this.#isDoubtful ||= this.#hasDoctype;
      return undefined;
    },
  });
  readonly #pages: ListedPage[] = [];
  readonly #sitemaps: string[] = [];
  /** Elements that are open, the outermost first. */
  readonly #path: ListElement[] = [];
  #text = '';
  /** True if an entity in the text may have been declared. */
  #isDoubtful = false;
  #hasDoctype = false;
  #entry: ListedEntry | undefined;
  /** Number of open elements around the children of the entry. */
  #entryDepth = 0;
  /** Entries with entities in their URLs. */
  #unreadable = 0;
  #cutBecause: string | undefined;
  /** Undefined until the first character that is not white space. */
  #isXml: boolean | undefined;
  #line = '';

  /** @param baseUrl URL of the sitemap, against which relative URLs are resolved */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** True when the rest of the file cannot add anything. */
  get isDone(): boolean {
    return this.#cutBecause !== undefined;
  }

  /** Reads the next part of the text. */
  write(chunk: string): void {
    const text = this.#isXml === undefined ? skipToXml(chunk.replace(/^[\ufeff\s]+/, '')) : chunk;
    if (text === '' || this.isDone) return;
    this.#isXml ??= text.startsWith('<');
    if (this.#isXml) this.#writeXml(text);
    else this.#writeLines(text);
  }

  /** Returns all that was read. */
  finish(): Sitemap {
    if (this.#isXml === false) this.#addLine(this.#line);
    else if (!this.isDone && this.#isXml) this.#closeXml();
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
      this.#reader.write(text.slice(start, start + MAX_MARKUP_CHARS));
      if (this.#reader.pending > 2 * MAX_MARKUP_CHARS)
        this.#cut('an element, a comment or a text is too long');
    }
  }

  /** Ends the file. If it ends inside an entry, the unclosed element is left out: it may be half a URL. */
  #closeXml(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    this.#reader.close();
    const { unclosed } = this.#reader;
    if (unclosed === undefined) return;
    if (entry) this.#addEntry(entry);
    this.#cut(`the XML has an error: it ends within the element <${unclosed}>`);
  }

  #open(qualifiedName: string, attributes: Readonly<Record<string, string>>): void {
    this.#endText();
    const element = { ...splitName(qualifiedName), attributes, baseUrl: this.#baseOf(attributes) };
    this.#path.push(element);
    if (this.#path.length > MAX_DEPTH) this.#cut('the elements nest too deeply');
    if (!isEntry(element)) return;
    // An entry within an entry is a part of it, unless the end of the first is missing.
    if (this.#entry && this.#entry.name !== element.name) return;
    if (this.#entry) this.#addEntry(this.#entry);
    this.#entry = new ListedEntry(element);
    this.#entryDepth = this.#path.length;
  }

  #baseOf({ 'xml:base': base }: Readonly<Record<string, string>>): string {
    const outer = this.#path.at(-1)?.baseUrl ?? this.#baseUrl;
    return base === undefined ? outer : (URL.parse(base, outer)?.href ?? outer);
  }

  #append(text: string): void {
    if (this.#text.length <= MAX_TEXT_CHARS) this.#text += text.slice(0, MAX_TEXT_CHARS + 1);
  }

  #close(): void {
    this.#endText();
    this.#path.pop();
    if (!this.#entry || this.#path.length >= this.#entryDepth) return;
    this.#addEntry(this.#entry);
    this.#entry = undefined;
  }

  /** Takes the text of an element where it ends, or where an element begins in it. */
  #endText(): void {
    const element = this.#path.at(-1);
    const depth = this.#path.length - this.#entryDepth;
    if (element && depth === 0) this.#entry?.addText(this.#text, element.baseUrl);
    // Only children of the entry itself: <image:loc>, <source> and the like have URLs of their own.
    if (element && depth === 1) this.#addChild(element);
    this.#text = '';
    this.#isDoubtful = false;
  }

  #addChild(element: ListElement): void {
    const entry = this.#entry;
    if (entry?.isFollowedBy(element) && this.#text.trim() !== '') {
      this.#addEntry(entry);
      this.#entry = new ListedEntry({ name: entry.name, prefix: entry.prefix, attributes: {}, baseUrl: '' });
    }
    this.#entry?.add(element, this.#text, this.#isDoubtful);
  }

  #addEntry(entry: ListedEntry): void {
    const { page } = entry;
    if (entry.isUnreadable) this.#unreadable += 1;
    else if (page === undefined || this.isDone) return;
    else if (this.#isFull) this.#cut(TOO_MANY);
    else if (entry.name === 'sitemap') this.#sitemaps.push(page.url);
    else this.#pages.push(page);
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
    const href = resolveUrl(url, this.#baseUrl);
    if (href === undefined) return;
    if (this.#isFull) this.#cut(TOO_MANY);
    else this.#pages.push({ url: href });
  }

  get #isFull(): boolean {
    return this.#pages.length + this.#sitemaps.length >= MAX_ENTRIES;
  }

  #cut(reason: string): void {
    this.#cutBecause ??= reason;
  }
}

function unreadable(count: number): string {
  return `${count} of its entries have undefined entities (only the five of XML are read)`;
}

/** Returns the prefix and the local name, without case. */
function splitName(name: string): Pick<ListElement, 'name' | 'prefix'> {
  const colon = name.indexOf(':');
  return {
    name: name.slice(colon + 1).toLowerCase(),
    prefix: name.slice(0, Math.max(0, colon)).toLowerCase(),
  };
}

function isEntry(element: ListElement): element is ListElement & { readonly name: EntryName } {
  return ENTRIES.has(element.name);
}
