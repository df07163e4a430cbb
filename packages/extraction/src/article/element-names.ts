import type { Node } from '../dom/node.ts';

/** Kinds of things around an article that names tell of; a name can tell of several. */
const KINDS: readonly RegExp[] = [
  /sidebar|masthead|navbar|navigation|nav-?(?:header|footer|links?|box)(?![a-z])|breadcrumb|paginat|(?:nav|menu|pager|toolbar|tools|footer|banner|skip|supplemental)$/,
  /comment|disqus|pingback|shoutbox|(?:respond|replies|remarks?|discussion|community)$/,
  /related|recommend|recirc|trending|outbrain|taboola|(?:most-?)?popular$|mostread|readmore|(?:more|read)(?:stories|articles|posts)$/,
  /newsletter|subscri|sign-?up|promo|sponsor|advert|skyscraper|(?:ad|ads|adbox|adunit|adslot|adsense|dfp|gpt|shopping|cta)$/,
  /cookie|consent|gdpr|agegate|pop-?up|(?:modal|overlay)$/,
  /sharing|shar(?:e|ing)?(?:bar|box|buttons?|daddy|this)|(?:social|share|follow|addthis|addtoany)$/,
  /copyright$|(?:meta|tags|taglinks|bio|authors?|author-?(?:box|card|bio|info)|vcard|legends|credits?|combx)$/,
].map((kind) => new RegExp(`(?:^|[ _-])(?:${kind.source.replaceAll('$', '(?![a-z])')})`));

/** Words that tell of the author, the date or the rights of an article, or of a picture. */
const CREDIT_WORDS =
  /(?:^|[ _-])(?:by-?lines?|datelines?|timestamps?|publish(?:ed|date|-date)|pub-?date|authors?|posted|updated|captions?|credits?|copyright)(?![a-z])/;
const CAPTION_WORDS = /(?:^|[ _-])captions?(?![a-z])/;

/** Names of which every word tells of content, such as `entry-content`. */
const CONTENT_WORDS =
  /(?:^| )(?:(?:the|post|entry|article|story|blog|page|main|site|single|node|news|rich|body)[_-]?){0,3}(?:article|body|content|entry|main|story|post|text|hentry|prose|copy)(?: |$)/;

/** Words in a name that tell of a state or of a record of the element: `has-ads`, `field--label-hidden`, `status-publish`, `tag-ads`. */
const STATES =
  /(?:^|[ _-])(?:has|is|no|not|with|without|js|status|type|format|category|tag|label|hidden|display)-[^ ]*/g;

const MAX_NAMES_CHARS = 500;

/** Bits of what the names of an element tell; the lower ones are the kinds of things around an article. */
export const AROUND = (1 << KINDS.length) - 1;
export const NAVIGATION = 1;
export const CONTENT_NAME = 1 << KINDS.length;
export const CREDIT = CONTENT_NAME << 1;
export const CAPTION = CREDIT << 1;

/** Names that were read, since a page repeats them: a pure function of the text. */
const known = new Map<string, number>();
const MAX_KNOWN = 2000;

/** Reads the class of an element, and the id of one that an id can name: those of headings and sections often come from their texts. */
export function readNames({ attributes }: Node, withId: boolean): number {
  let bits = 0;
  for (const { name, value } of attributes) {
    if (name === 'class' || (withId && name === 'id')) bits |= bitsOf(value);
  }
  return bits & CONTENT_NAME ? bits & ~AROUND : bits;
}

function bitsOf(names: string): number {
  if (names.length > MAX_NAMES_CHARS) return interpret(names.slice(0, MAX_NAMES_CHARS));
  const found = known.get(names);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const bits = interpret(names);
  known.set(names, bits);
  return bits;
}

function interpret(names: string): number {
  const words = names
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/\s+/g, ' ');
  const lasting = words.replace(STATES, ' ');
  let bits = (CREDIT_WORDS.test(lasting) ? CREDIT : 0) | (CAPTION_WORDS.test(lasting) ? CAPTION : 0);
  if (CONTENT_WORDS.test(words)) bits |= CONTENT_NAME;
  for (const [at, kind] of KINDS.entries()) if (kind.test(lasting)) bits |= 1 << at;
  return bits;
}
