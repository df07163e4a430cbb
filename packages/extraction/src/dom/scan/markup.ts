import { unusual } from './unusual.ts';

const COMMENT_END = /--!?>/g;

/** Returns the end of a comment that starts at a position. Reads no further than that. */
export function endOfComment(source: string, at: number): number {
  const content = at + 4;
  COMMENT_END.lastIndex = at + 2;
  let end = COMMENT_END.exec(source);
  // `<!-->` is a whole comment, `<!--!>` only starts one.
  if (end && end[0] === '--!>' && end.index < content) {
    COMMENT_END.lastIndex = content;
    end = COMMENT_END.exec(source);
  }
  return end ? end.index + end[0].length : unusual();
}

/** Returns the start of the end tag of an element whose content is not markup, or -1. */
export function endOfRawText(source: string, from: number, name: string): number {
  let at = from;
  for (;;) {
    const end = source.indexOf('</', at);
    if (end < 0) return -1;
    const nameEnd = end + 2 + name.length;
    if (source.slice(end + 2, nameEnd).toLowerCase() === name && /[\t\n\f />]/.test(source.charAt(nameEnd))) {
      return name === 'script' && mayEscape(source.slice(from, end)) ? -1 : end;
    }
    at = end + 2;
  }
}

/** In a script, `<!--` and `<script` hide the end tag (HTML §13.2.5.26). */
function mayEscape(script: string): boolean {
  const comment = script.indexOf('<!--');
  return comment >= 0 && /<script/i.test(script.slice(comment));
}

const DOCTYPE = /^<!doctype[\t\n\f ]+html[\t\n\f ]*>$/i;
const OLD_DOCTYPE =
  /^<!doctype[\t\n\f ]+html[\t\n\f ]+public[\t\n\f ]+"-\/\/w3c\/\/dtd (?:xhtml 1\.[01]|html 4\.01)[^">]*"[\t\n\f ]+"http:\/\/www\.w3\.org\/[^">]*"[\t\n\f ]*>$/i;

/** Returns true for the usual doctypes, none of which leads to quirks mode (HTML §13.2.6.4.1). */
export function isDoctypeWithoutQuirks(doctype: string): boolean {
  return DOCTYPE.test(doctype) || OLD_DOCTYPE.test(doctype);
}

/** Returns the number of white space characters between two positions before anything else. */
export function lengthOfSpace(source: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(source.charCodeAt(at))) at++;
  return at - from;
}

/** Returns true if there is nothing but white space between two positions. */
export function isOnlySpace(source: string, from: number, end: number): boolean {
  return lengthOfSpace(source, from, end) === end - from;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c;
}

/** Returns true for a letter of ASCII, which starts a name. */
export function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/** Returns true for what ends the name of a tag, and at the end of the source. */
export function isNameEnd(code: number): boolean {
  return code === 0x3e || code === 0x2f || isSpace(code) || Number.isNaN(code);
}
