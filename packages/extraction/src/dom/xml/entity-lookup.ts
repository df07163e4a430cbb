import { decodeHTMLStrict } from 'entities/decode';
import { type DocumentType, XmlError } from './document-type.ts';

/** Limit on the expanded text of all entities of a document, including nested ones. */
const MAX_EXPANDED_CHARS = 1_000_000;

/** Maximum depth of nested entities; recursive ones reach it. */
const MAX_DEPTH = 16;

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Names that can be declared; after a lone ampersand the parser reports all text up to the next semicolon as a name. */
const NAME = /^[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*$/u;

const REFERENCE = /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|([^\s&;#]+));|[&<]/g;

/** Returns the text of an entity, or undefined if it is not declared. */
export type EntityLookup = (name: string) => string | undefined;

/**
 * Creates a lookup of the entities of XML, the text entities declared in the document, and the entities of
 * HTML, supported by browsers only in XHTML. Entities of a possible external subset are '', as in browsers.
 * Throws an XmlError for entities that contain markup or expand to too much text.
 */
export function createEntityLookup({ entities, isOpen }: Omit<DocumentType, 'name'>): EntityLookup {
  const known = new Map<string, string>();
  let charsLeft = MAX_EXPANDED_CHARS;
  const spend = (text: string): string => {
    charsLeft -= text.length;
    if (charsLeft < 0)
      throw new XmlError(`its entities expand to more than ${MAX_EXPANDED_CHARS} characters`);
    return text;
  };
  const expand = (name: string, depth: number): string | undefined => {
    const predefined = PREDEFINED.get(name) ?? known.get(name);
    if (predefined !== undefined) return predefined;
    const literal = entities.get(name);
    if (literal === undefined) return htmlEntity(name) ?? (isOpen ? '' : undefined);
    if (depth >= MAX_DEPTH) throw new XmlError(`the entity "${name}" is nested too deeply`);
    const text = resolve(decodeCharacters(literal), name, depth);
    known.set(name, text);
    return text;
  };
  const resolve = (text: string, inside: string, depth: number): string =>
    text.replace(REFERENCE, (reference, hex, decimal, name) => {
      if (reference === '<') throw new XmlError(`the entity "${inside}" contains markup`);
      if (reference === '&') throw new XmlError(`the entity "${inside}" contains an ampersand`);
      if (name === undefined) return characterOf(hex, decimal);
      const value = expand(name, depth + 1);
      if (value === undefined) throw new XmlError(`the entity "${name}" is not declared`);
      return spend(value);
    });
  return (name) => {
    if (!NAME.test(name)) return undefined;
    const value = expand(name, 0);
    return value === undefined || PREDEFINED.has(name) ? value : spend(value);
  };
}

/** Replaces character references, as XML does where an entity is declared; other references are replaced where it is used. */
function decodeCharacters(literal: string): string {
  return literal.replace(/&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,8}));/g, (_reference, hex, decimal) =>
    characterOf(hex, decimal),
  );
}

function characterOf(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
  const isCharacter = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0x10ffff);
  if (!isCharacter || (code >= 0xd800 && code <= 0xdfff))
    throw new XmlError(`${code} is not a valid character`);
  return String.fromCodePoint(code);
}

function htmlEntity(name: string): string | undefined {
  const reference = `&${name};`;
  const text = decodeHTMLStrict(reference);
  return text === reference ? undefined : text;
}
