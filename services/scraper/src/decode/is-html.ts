import { isUnknownType, parseContentType } from './parse-content-type.ts';

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/**
 * How a document begins that browsers take for HTML when nobody says what it is, any white space behind the tag's name
 * included (https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type).
 */
const HTML_BEGINNING =
  /^[\t\n\f\r ]*<(?:!doctype html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]/i;

/** Whether a browser would show a text of this Content-Type as HTML: tags in every other text are quoted, and do nothing. */
export function isHtml(text: string, contentType: string | undefined): boolean {
  const { essence } = parseContentType(contentType);
  return HTML_TYPES.has(essence) || (isUnknownType(essence) && HTML_BEGINNING.test(text));
}
