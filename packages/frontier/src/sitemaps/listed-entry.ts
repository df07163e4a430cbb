/** A page that a sitemap or feed lists. */
export interface ListedPage {
  readonly url: string;
  /** Time of its last change as milliseconds since 1970, if it is given and valid. */
  readonly modifiedMs?: number;
}

const MAX_URL_CHARS = 2048;

/** Names of elements that hold one entry: sitemaps, indexes, RSS and Atom. */
export type EntryName = 'url' | 'sitemap' | 'item' | 'entry';

/** An element of a sitemap or a feed. */
export interface ListElement {
  /** Local name, without case. */
  readonly name: string;
  readonly prefix: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** URL against which its links are resolved (`xml:base`). */
  readonly baseUrl: string;
}

/** A child of an entry with all of its text. */
interface Child extends ListElement {
  readonly text: string;
  /** True if the prefix is that of the entry: others belong to extensions, such as images. */
  readonly isOwn: boolean;
}

/** Returns the link of a child if it has one in this place. */
type Place = (child: Child) => string | undefined;

const ownText =
  (wanted: string): Place =>
  ({ name, isOwn, text }) =>
    isOwn && name === wanted ? text : undefined;

const alternate: Place = ({ name, attributes: { href, rel = 'alternate' } }) =>
  name === 'link' && rel.toLowerCase() === 'alternate' ? href : undefined;

const alternatePage: Place = (child) =>
  /^(?:text\/html|application\/xhtml\+xml|$)/i.test(child.attributes.type ?? '')
    ? alternate(child)
    : undefined;

/** A guid is the URL of its item unless it says otherwise (https://www.rssboard.org/rss-specification#ltguidgtSubelementOfLtitemgt). */
const permanentLink: Place = ({ name, isOwn, text, attributes }) => {
  const { ispermalink = attributes.isPermaLink ?? 'true' } = attributes;
  return isOwn && name === 'guid' && ispermalink.toLowerCase() !== 'false' && /^https?:/i.test(text)
    ? text
    : undefined;
};

/** Places where the URL of an entry stands, the best first. */
const PLACES: Readonly<Record<EntryName, readonly Place[]>> = {
  url: [ownText('loc')],
  sitemap: [ownText('loc')],
  item: [ownText('link'), alternate, permanentLink],
  entry: [alternatePage, alternate, ownText('link')],
};

/** Elements whose text is the time of the last change, the best first. */
const TIMES = ['lastmod', 'updated', 'modified', 'published', 'issued', 'pubdate', 'date'];

/** Collects the URL and the time of one entry from its children, in whatever order they come. */
export class ListedEntry {
  readonly name: EntryName;
  /** True if its URL has an entity that stands for something else. */
  isUnreadable = false;
  readonly prefix: string;
  readonly #urls: (string | undefined)[] = [];
  readonly #times: number[] = [];

  constructor({ name, prefix, attributes, baseUrl }: ListElement & { readonly name: EntryName }) {
    this.name = name;
    this.prefix = prefix;
    // RSS 1.0 names its items.
    const about = name === 'item' ? attributes['rdf:about'] : undefined;
    this.#urls[PLACES[name].length] = about === undefined ? undefined : resolveUrl(about, baseUrl);
  }

  /** Takes the text of the entry itself: some generators leave `loc` out. */
  addText(text: string, baseUrl: string): void {
    if (/^\s*https?:/i.test(text)) this.#urls[PLACES[this.name].length] ??= resolveUrl(text.trim(), baseUrl);
  }

  /** Returns true for a further `loc`, with which the next entry begins although this one was not closed. */
  isFollowedBy({ name, prefix }: ListElement): boolean {
    return name === 'loc' && prefix === this.prefix && this.#urls[0] !== undefined && this.name !== 'item';
  }

  /** Adds a child with its complete text; `isDoubtful`: the text contains an unknown entity. */
  add(element: ListElement, text: string, isDoubtful: boolean): void {
    const child = { ...element, text: text.trim(), isOwn: element.prefix === this.prefix };
    for (const [rank, placed] of PLACES[this.name].entries()) {
      const link = placed(child);
      if (link === undefined || this.#urls[rank] !== undefined) continue;
      this.isUnreadable ||= isDoubtful;
      this.#urls[rank] = resolveUrl(link, element.baseUrl);
    }
    const rank = TIMES.indexOf(element.name);
    if (rank >= 0 && child.text !== '') this.#times[rank] = Date.parse(child.text);
  }

  /** Returns the page; nothing without a URL of http or https. */
  get page(): ListedPage | undefined {
    const url = this.#urls.find((each) => each !== undefined);
    if (url === undefined) return undefined;
    const modifiedMs = this.#times.find((each) => Number.isFinite(each));
    return modifiedMs === undefined ? { url } : { url, modifiedMs };
  }
}

/** Returns the absolute URL; nothing if it is not http or https, or too long. */
export function resolveUrl(url: string, baseUrl: string): string | undefined {
  if (url === '' || url.length > MAX_URL_CHARS) return undefined;
  const resolved = URL.parse(url, baseUrl);
  return resolved && /^https?:$/.test(resolved.protocol) ? resolved.href : undefined;
}
