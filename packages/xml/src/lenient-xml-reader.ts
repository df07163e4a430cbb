import { cleanText, decodeReferences } from './decode-text.ts';
import { after, readTag, type Tag } from './read-tag.ts';

/** Receivers of the parts of a document. Each opened element is closed, inner ones before outer ones. */
interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  /** Text inside of the root element, perhaps in several pieces; references are replaced. */
  text(text: string): void;
  cdata(text: string): void;
  comment?(text: string): void;
  instruction?(target: string, data: string): void;
  /** Text between `<!DOCTYPE` and its `>`. */
  doctype?(text: string): void;
  /** Returns the text of an entity that is not one of the five of XML; undefined leaves the reference as it is written. */
  entity?(name: string): string | undefined;
  /** Pays for characters that are read. */
  spend?(chars: number): void;
}

type Section = 'cdata' | 'comment' | 'instruction';

const SECTION_ENDS: Readonly<Record<Section, string>> = {
  cdata: ']]>',
  comment: '-->',
  instruction: '?>',
};
/** Longest start of a token that decides its kind: `<![CDATA[`. */
const LONGEST_START = 9;
/** Longest reference to an entity. */
const MAX_REFERENCE_CHARS = 72;
const END_TAG = /<\/[^<>]*>?/y;
const MORE = -1;

/**
 * Reads XML in chunks and survives its errors, as libraries for feeds do. A lone ampersand or less-than sign is text, a
 * closing tag closes what was left open inside of its element and counts for nothing without one, and what follows the root
 * element is left out. Takes time linear in the text.
 */
export class LenientXmlReader {
  readonly #events: XmlEvents;
  readonly #open: string[] = [];
  /** Numbers of open elements by their names, in lower case. */
  readonly #counts = new Map<string, number>();
  #rest = '';
  #section: Section | undefined;
  #isRootClosed = false;
  #isLast = false;
  #unclosed: string | undefined;

  constructor(events: XmlEvents) {
    this.#events = events;
  }

  /** Characters of a token that has not ended. */
  get pending(): number {
    return this.#rest.length;
  }

  /** Name of the innermost element that was open at the end of the document. */
  get unclosed(): string | undefined {
    return this.#unclosed;
  }

  write(chunk: string): void {
    const text = this.#rest + chunk;
    let at = 0;
    while (at < text.length && !this.#isRootClosed) {
      const end = this.#section ? this.#readSection(this.#section, text, at) : this.#readToken(text, at);
      if (end === MORE) break;
      this.#events.spend?.(end - at);
      at = end;
    }
    this.#rest = this.#isRootClosed ? '' : text.slice(at);
  }

  /** Reads the end of the document, and closes the elements that are open. */
  close(): void {
    this.#isLast = true;
    this.write('');
    this.#unclosed = this.#open.at(-1);
    while (this.#open.length > 0) this.#closeInnermost();
  }

  /** Returns the end of the token at a position, or MORE if it is not known yet. */
  #readToken(text: string, at: number): number {
    if (text[at] !== '<') return this.#readText(text, at);
    if (!this.#isLast && text.length - at < LONGEST_START && !text.includes('>', at)) return MORE;
    if (text.startsWith('<![CDATA[', at)) return this.#enter('cdata', at + 9);
    if (text.startsWith('<!--', at)) return this.#enter('comment', at + 4);
    if (text.startsWith('<?', at)) return this.#enter('instruction', at + 2);
    if (text.startsWith('<!', at)) return this.#readDeclaration(text, at);
    return text[at + 1] === '/' ? this.#readEndTag(text, at) : this.#readStartTag(text, at);
  }

  #enter(section: Section, end: number): number {
    this.#section = section;
    return end;
  }

  #readText(text: string, at: number): number {
    const next = text.indexOf('<', at);
    const end = next === -1 ? this.#endOfWholeText(text, at) : next;
    if (end > at) this.#emitText(text.slice(at, end));
    return end === at ? MORE : end;
  }

  /** Leaves a reference at the end of a chunk to the next one. */
  #endOfWholeText(text: string, at: number): number {
    if (this.#isLast) return text.length;
    const reference = text.lastIndexOf('&');
    const isWhole =
      reference < at || text.length - reference > MAX_REFERENCE_CHARS || text.includes(';', reference);
    return isWhole ? text.length : reference;
  }

  #emitText(written: string): void {
    if (this.#open.length === 0) return;
    this.#events.text(this.#decode(written));
  }

  #decode(written: string): string {
    return decodeReferences(cleanText(written), this.#events.entity);
  }

  #readSection(section: Section, text: string, at: number): number {
    const mark = SECTION_ENDS[section];
    const found = text.indexOf(mark, at);
    // Text may come in pieces; a comment or an instruction is kept until it is whole.
    const isPart = found === -1 && !this.#isLast;
    if (isPart && section !== 'cdata') return MORE;
    const end = found === -1 ? text.length - (isPart ? mark.length - 1 : 0) : found;
    if (end < at || (isPart && end === at)) return MORE;
    this.#emitSection(section, text.slice(at, end));
    if (isPart) return end;
    this.#section = undefined;
    return found === -1 ? end : end + mark.length;
  }

  #emitSection(section: Section, text: string): void {
    if (section === 'comment') this.#events.comment?.(text);
    else if (section === 'cdata') {
      if (this.#open.length > 0 && text !== '') this.#events.cdata(cleanText(text));
    } else {
      const target = /^[^\s?]*/.exec(text)?.[0] ?? '';
      if (target !== '' && target.toLowerCase() !== 'xml')
        this.#events.instruction?.(target, text.slice(target.length).trimStart());
    }
  }

  /** Reads a document type; other declarations count for nothing. */
  #readDeclaration(text: string, at: number): number {
    const end = endOfDeclaration(text, at);
    if (end === -1 && !this.#isLast) return MORE;
    const content = text.slice(at, end === -1 ? text.length : end);
    if (/^<!DOCTYPE\s/i.test(content) && this.#open.length === 0) this.#events.doctype?.(content.slice(9));
    return at + content.length + 1;
  }

  #readEndTag(text: string, at: number): number {
    const stop = after(END_TAG, text, at);
    if (stop === text.length && text[stop - 1] !== '>' && !this.#isLast) return MORE;
    this.#closeElement(
      text
        .slice(at + 2, stop)
        .replace('>', '')
        .trim(),
    );
    return stop;
  }

  #readStartTag(text: string, at: number): number {
    const tag = readTag(text, at);
    if (tag === 'incomplete') return this.#readHalfTag(text, at);
    if ('textEnd' in tag) {
      this.#emitText(text.slice(at, tag.textEnd));
      return tag.textEnd;
    }
    this.#openElement(tag);
    return tag.end;
  }

  /** Leaves half a tag at the end of a document out; a sign before a value whose quote does not end is text. */
  #readHalfTag(text: string, at: number): number {
    if (!this.#isLast) return MORE;
    if (!text.includes('>', at)) return text.length;
    this.#emitText('<');
    return at + 1;
  }

  #openElement({ name, attributes, isEmpty }: Tag): void {
    const values: Record<string, string> = {};
    for (const [key, value] of attributes) values[key] = this.#decode(value).replace(/[\t\n]/g, ' ');
    this.#events.open(name, values);
    const key = name.toLowerCase();
    this.#open.push(name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    if (isEmpty) this.#closeInnermost();
  }

  #closeElement(name: string): void {
    const key = (name === '' ? (this.#open.at(-1) ?? '') : name).toLowerCase();
    if (!this.#counts.get(key)) return;
    while (this.#closeInnermost() !== key);
  }

  /** Returns the name of the element in lower case. */
  #closeInnermost(): string {
    const name = this.#open.pop() ?? '';
    const key = name.toLowerCase();
    this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1);
    this.#events.close(name);
    this.#isRootClosed = this.#open.length === 0;
    return key;
  }
}

/** Returns the position of the greater-than sign that ends a declaration; -1 if it is not there. */
function endOfDeclaration(text: string, at: number): number {
  const end = text.indexOf('>', at);
  const subset = end === -1 ? -1 : text.slice(at, end).indexOf('[');
  if (subset === -1) return end;
  const close = /\]\s*>/g;
  close.lastIndex = at + subset;
  return close.test(text) ? close.lastIndex - 1 : -1;
}

/** Characters within which the XML declaration is sought. */
const SEARCHED_CHARS = 64 * 1024;

/** Leaves out what a server wrote before the XML declaration, such as messages of its programs. */
export function skipToXml(text: string): string {
  const at = text.slice(0, SEARCHED_CHARS).search(/<\?xml\s/);
  return at > 0 ? text.slice(at) : text;
}
