import type { Token } from 'parse5';
import { Namespace } from './node.ts';

/** Content of a page, as far as it tells what kind of page this is. */
export interface PageFacts {
  /** True if the page has much text of its own; the other facts then say nothing of it. */
  readonly isRich: boolean;
  /** Characters of shown text outside of links and controls, without white space; ideographs count twice. */
  readonly textChars: number;
  /** The same, inside links and controls. */
  readonly linkChars: number;
  /** Number of images, drawings, videos, frames and other elements that show something without text. */
  readonly media: number;
  readonly title: string;
  /** The first headings of level 1 and 2. */
  readonly headings: readonly string[];
  /** Beginning of the text that is shown when scripts do not run. */
  readonly noscript: string;
  readonly scripts: number;
  readonly passwords: number;
  /** Fields that a person fills in with text, apart from passwords, searches and codes of captchas. */
  readonly fields: number;
  /** Name of the field for the code of a captcha; '' without one. */
  readonly captchaField: string;
  /** All visible text, with the text of links and controls and the addresses of images and frames; '' if it is long. */
  readonly shown: string;
}

/** A page with this much text is content, even if its title says otherwise. */
const RICH_TEXT_CHARS = 1500;
/** Lists of links have little other text. */
const RICH_LINK_CHARS = 20_000;

const RICH_PAGE: PageFacts = {
  isRich: true,
  textChars: RICH_TEXT_CHARS,
  linkChars: 0,
  media: 0,
  title: '',
  headings: [],
  noscript: '',
  scripts: 0,
  passwords: 0,
  fields: 0,
  captchaField: '',
  shown: '',
};

const MAX_TITLE_CHARS = 200;
/** The same, before white space is collapsed. */
const MAX_RAW_CHARS = 1000;
const MAX_HEADINGS = 3;
/** Longest `shown`, before white space is collapsed. */
const MAX_SHOWN_CHARS = 4000;

/** Bits of the meaning of an element for the facts: the parts of a page that texts inside it are in, and what it is. */
const Role = {
  hidden: 1,
  noscript: 2,
  link: 4,
  title: 8,
  heading: 16,
  media: 32,
  field: 64,
  script: 128,
} as const;
/** The bits that hold for everything inside an element. */
const REGIONS = Role.hidden | Role.noscript | Role.link | Role.title | Role.heading;
const UNSHOWN = Role.hidden | Role.noscript;

const ROLES: ReadonlyMap<string, number> = new Map([
  ['script', Role.hidden | Role.script],
  ['style', Role.hidden],
  ['template', Role.hidden],
  ['noscript', Role.noscript],
  ['title', Role.title],
  ['h1', Role.heading],
  ['h2', Role.heading],
  ['a', Role.link],
  ['button', Role.link],
  ['select', Role.link],
  ['datalist', Role.link],
  ['textarea', Role.link | Role.field],
  ['input', Role.field],
  ...['audio', 'canvas', 'embed', 'iframe', 'frame', 'img', 'math', 'object', 'svg', 'video'].map(
    (name) => [name, Role.media] as const,
  ),
]);
/** Elements that mean the same in other languages. */
const FOREIGN_ROLES = Role.media | Role.script | Role.hidden;

/** Types of inputs that take text; any other word counts as `text`. */
const NOT_TEXT_INPUTS = new Set(
  'hidden submit button reset image checkbox radio file color range search'.split(' '),
);

/** Collects the facts of a page from its elements and texts in document order, until it is known to be rich. */
export class FactsCollector {
  isRich = false;
  #textChars = 0;
  #linkChars = 0;
  #media = 0;
  #title = '';
  readonly #headings: string[] = [];
  #noscript = '';
  #scripts = 0;
  #passwords = 0;
  #fields = 0;
  #captchaField = '';
  /** Texts of what is shown, and their length with the spaces between them. */
  readonly #shown: string[] = [];
  #shownChars = 0;

  /** Takes an element inside `region` and returns the region inside it; that of the document is 0. */
  enter({ name, namespace, attributes }: FactElement, region: number): number {
    if (this.isRich) return region;
    if (region !== 0) this.#part(region);
    const role = ROLES.get(name);
    if (role === undefined) return region;
    const own = namespace === Namespace.html ? role : role & FOREIGN_ROLES;
    if ((own & Role.script) !== 0) this.#scripts++;
    if ((region & UNSHOWN) === 0) {
      if ((own & Role.media) !== 0) this.#addMedia(attributes);
      if ((own & Role.field) !== 0) this.#addField(name, attributes);
    }
    if ((own & Role.heading) === 0) return region | (own & REGIONS);
    if (this.#headings.length >= MAX_HEADINGS) return region;
    this.#headings.push('');
    return region | Role.heading;
  }

  /** Parts the words before an element from those in it. */
  #part(region: number): void {
    const last = this.#headings.length - 1;
    if ((region & Role.noscript) !== 0) this.#noscript = extend(this.#noscript, ' ');
    else if ((region & Role.heading) !== 0) this.#headings[last] = extend(this.#headings[last] ?? '', ' ');
  }

  /** Takes a text inside `region`. */
  read(text: string, region: number): void {
    if (this.isRich || (region & Role.hidden) !== 0) return;
    if ((region & Role.noscript) !== 0) this.#noscript = extend(this.#noscript, text);
    else if ((region & Role.title) !== 0) this.#title = extend(this.#title, text);
    else this.#count(text, region);
  }

  get facts(): PageFacts {
    if (this.isRich) return RICH_PAGE;
    const isMuch = this.#shownChars >= MAX_SHOWN_CHARS;
    return {
      isRich: false,
      textChars: this.#textChars,
      linkChars: this.#linkChars,
      media: this.#media,
      title: collapse(this.#title),
      headings: this.#headings.map(collapse).filter((heading) => heading !== ''),
      noscript: collapse(withoutTags(this.#noscript)),
      scripts: this.#scripts,
      passwords: this.#passwords,
      fields: this.#fields,
      captchaField: this.#captchaField,
      shown: isMuch ? '' : this.#shown.join(' ').replace(/\s+/g, ' ').trim(),
    };
  }

  #count(text: string, region: number): void {
    if ((region & Role.heading) !== 0) {
      const last = this.#headings.length - 1;
      this.#headings[last] = extend(this.#headings[last] ?? '', text);
    }
    const isLink = (region & Role.link) !== 0;
    const chars = countShown(text, isLink ? RICH_LINK_CHARS : RICH_TEXT_CHARS);
    // White space between elements.
    if (chars === 0) return;
    if (isLink) this.#linkChars += chars;
    else this.#textChars += chars;
    this.isRich = this.#linkChars >= RICH_LINK_CHARS || this.#textChars >= RICH_TEXT_CHARS;
    this.#show(text);
  }

  #addMedia(attributes: readonly Token.Attribute[]): void {
    this.#media++;
    const source = attributes.find(({ name }) => name === 'src');
    if (source) this.#show(source.value);
  }

  /** Appends to what is shown, up to where it is much. */
  #show(text: string): void {
    if (this.#shownChars >= MAX_SHOWN_CHARS) return;
    this.#shown.push(text);
    this.#shownChars += 1 + text.length;
  }

  #addField(name: string, attributes: readonly Token.Attribute[]): void {
    if (name === 'textarea') {
      this.#fields++;
      return;
    }
    const attributeValue = (wanted: string) =>
      attributes.find((attribute) => attribute.name === wanted)?.value ?? '';
    const type = attributeValue('type').trim().toLowerCase();
    if (type === 'password') this.#passwords++;
    if (type === 'password' || NOT_TEXT_INPUTS.has(type)) return;
    const field = `${attributeValue('name')} ${attributeValue('id')}`.trim();
    if (/captcha/i.test(field)) this.#captchaField = field.slice(0, MAX_TITLE_CHARS);
    else if (!/^(?:q|s|query|search\w*|keywords?)\b/i.test(field)) this.#fields++;
  }
}

/** The part of an element that tells something about its page. */
interface FactElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly Token.Attribute[];
}

/** Appends to a text whose beginning is enough. */
function extend(text: string, more: string): string {
  return text + more.slice(0, MAX_RAW_CHARS - text.length);
}

/** Removes the tags of a noscript in the head, whose markup is a text; of a bounded length, as these texts are. */
function withoutTags(text: string): string {
  return text.replace(/<(style|script)\b[\s\S]*?(?:<\/\1[^>]*>|$)|<[^<>]*>?/gi, ' ');
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
}

/** Counts characters other than white space, ideographs and kana twice, up to a limit. */
function countShown(text: string, limit: number): number {
  let chars = 0;
  for (let index = 0; index < text.length && chars < limit; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code !== 0xa0) chars += code >= 0x2e80 && code < 0xfb00 ? 2 : 1;
  }
  return chars;
}
