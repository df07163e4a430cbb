import { isomorphicDecode, normalizeEncoding } from '@exodus/bytes/encoding.js';
import { readAttributes } from './read-attributes.ts';

/** Bytes that a browser examines before it starts to parse. */
const PRESCAN_BYTES = 1_024;

/** Bytes of a long head that are searched for a late `<meta>`. */
const LATE_BYTES = 65_536;

/** Elements that are allowed in the head; any other tag ends it. */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'base',
  'link',
  'meta',
  'style',
  'script',
  'noscript',
  'template',
  'object',
]);

/** Head elements whose content is text, even if it looks like tags. */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(['title', 'style', 'script']);

type Attributes = ReadonlyMap<string, string>;

/**
 * Finds the encoding that the first bytes declare, as an encoding name in lower case
 * (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding). Scripts, styles and titles are
 * skipped: a browser that found an encoding there would start over when it parses them.
 */
export function prescanEncoding(bytes: Uint8Array): string | undefined {
  const head = asciiText(bytes.subarray(0, PRESCAN_BYTES));
  const byTags = () => scanTags(head, (...tag) => rawText(...tag) ?? readMeta(...tag));
  return utf16Encoding(head) ?? byTags() ?? xmlEncoding(head);
}

/** Finds the encoding that an XML declaration names, or UTF-16 where the declaration itself is written in it. */
export function findXmlEncoding(bytes: Uint8Array): string | undefined {
  const head = asciiText(bytes.subarray(0, PRESCAN_BYTES));
  return utf16Encoding(head) ?? xmlEncoding(head);
}

function utf16Encoding(head: string): string | undefined {
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le';
  return head.startsWith('\0<\0?\0x') ? 'utf-16be' : undefined;
}

/**
 * Finds the encoding by a `<meta>` of a longer head: browsers start over when they find it while parsing
 * (https://html.spec.whatwg.org/#change-the-encoding). Scripts, styles and titles are skipped; the body ends the
 * search.
 */
export function findLateMetaEncoding(bytes: Uint8Array): string | undefined {
  if (bytes.length <= PRESCAN_BYTES) return undefined;
  const head = asciiText(bytes.subarray(0, LATE_BYTES));
  return scanTags(head, (name, attributes, isEndTag) => {
    if (!HEAD_ELEMENTS.has(name)) return 'stop';
    return rawText(name, attributes, isEndTag) ?? readMeta(name, attributes, isEndTag);
  });
}

/** Next step after a tag: stop, skip to a text, return an encoding, or continue. */
type Verdict = 'stop' | { readonly skipTo: string } | { readonly encoding: string } | undefined;
type OnTag = (name: string, attributes: Attributes, isEndTag: boolean) => Verdict;

function scanTags(text: string, onTag: OnTag): string | undefined {
  let position = 0;
  for (;;) {
    position = text.indexOf('<', position);
    if (position === -1) return undefined;
    if (text.startsWith('<!--', position)) {
      position = endOf(text, '-->', position + 2);
      continue;
    }
    const tag = /^<(\/?)([a-z][^\t\n\f\r >/]*)/.exec(text.slice(position, position + 64));
    if (!tag) {
      position = /^<[!/?]/.test(text.slice(position, position + 2))
        ? endOf(text, '>', position)
        : position + 1;
      continue;
    }
    const { attributes, end } = readAttributes(text, position + tag[0].length);
    if (end === undefined) return undefined;
    const verdict = onTag(tag[2] ?? '', attributes, tag[1] === '/');
    if (verdict === 'stop') return undefined;
    if (verdict && 'encoding' in verdict) return verdict.encoding;
    position = verdict ? startOf(text, verdict.skipTo, end) : end;
  }
}

function rawText(name: string, _attributes: Attributes, isEndTag: boolean): Verdict {
  return !isEndTag && RAW_TEXT_ELEMENTS.has(name) ? { skipTo: `</${name}` } : undefined;
}

function readMeta(
  name: string,
  attributes: Attributes,
  isEndTag: boolean,
): { readonly encoding: string } | undefined {
  if (name !== 'meta' || isEndTag) return undefined;
  const charset = attributes.get('charset');
  const isPragma = attributes.get('http-equiv') === 'content-type';
  const label = charset ?? (isPragma ? charsetOfContent(attributes.get('content') ?? '') : undefined);
  const encoding = label === undefined ? undefined : declaredEncoding(label);
  return encoding === undefined ? undefined : { encoding };
}

/**
 * Returns the first charset with a value, even an invalid one
 * (https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element).
 */
function charsetOfContent(content: string): string | undefined {
  const match =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))?/.exec(content);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** Reads an XML declaration (https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing). */
function xmlEncoding(text: string): string | undefined {
  const declaration = /^<\?xml[^>]*>/.exec(text)?.[0] ?? '';
  const match = /encoding[\0- ]*=[\0- ]*(?:"([^"\0- ]*)"|'([^'\0- ]*)')/.exec(declaration);
  const label = match?.[1] ?? match?.[2];
  return label === undefined ? undefined : declaredEncoding(label);
}

/** Corrects declarations as the standard does: a document read in ASCII so far is not UTF-16, and x-user-defined is windows-1252. */
function declaredEncoding(label: string): string | undefined {
  const encoding = normalizeEncoding(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : (encoding ?? undefined);
}

/** Decodes one character per byte, in lower case: the search is for ASCII, regardless of case. */
function asciiText(bytes: Uint8Array): string {
  return isomorphicDecode(bytes).toLowerCase();
}

function startOf(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index === -1 ? text.length : index;
}

function endOf(text: string, mark: string, from: number): number {
  return Math.min(text.length, startOf(text, mark, from) + mark.length);
}
