export { escapeAttribute, escapeText, replaceForbidden } from './escape.ts';
export { LenientXmlReader, skipToXml } from './lenient-xml-reader.ts';
