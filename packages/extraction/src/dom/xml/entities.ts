import { decodeHTMLStrict } from 'entities/decode';
import type { DocumentType } from './document-type.ts';
import { XmlFault } from './xml-fault.ts';

/** What all entities of a document may become, those inside others counted as well. */
const MAX_EXPANDED_CHARS = 1_000_000;

/** Entities inside entities, at most; one that holds itself ends here too. */
const MAX_DEPTH = 16;

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A lone ampersand has everything up to the next semicolon for its name. */
const NAME = /^[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*$/u;

const REFERENCE = /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,8})|([^\s&;#]+));|[&<]/g;

/** What the references of a document stand for; undefined for an entity that nobody declares. */
export type EntityLookup = (name: string) => string | undefined;

/**
 * The entities of XML, those that the document itself declares as text, and those of HTML, which browsers know in XHTML
 * alone. What an external subset may declare is '', as in browsers. Throws an XmlFault for entities that hold
 * markup, and where they multiply.
 */
export function createEntityLookup({ entities, isOpen }: Omit<DocumentType, 'name'>): EntityLookup {
  const known = new Map<string, string>();
  let charsLeft = MAX_EXPANDED_CHARS;
  const spend = (text: string): string => {
    charsLeft -= text.length;
    if (charsLeft < 0) throw new XmlFault(`its entities stand for over ${MAX_EXPANDED_CHARS} characters`);
    return text;
  };
  const expand = (name: string, depth: number): string | undefined => {
    const predefined = PREDEFINED.get(name) ?? known.get(name);
    if (predefined !== undefined) return predefined;
    const literal = entities.get(name);
    if (literal === undefined) return htmlEntity(name) ?? (isOpen ? '' : undefined);
    if (depth >= MAX_DEPTH) throw new XmlFault(`the entity "${name}" nests too deep`);
    const text = resolve(decodeCharacters(literal), name, depth);
    known.set(name, text);
    return text;
  };
  const resolve = (text: string, inside: string, depth: number): string =>
    text.replace(REFERENCE, (reference, hex, decimal, name) => {
      if (reference === '<') throw new XmlFault(`the entity "${inside}" holds markup`);
      if (reference === '&') throw new XmlFault(`the entity "${inside}" holds an ampersand`);
      if (name === undefined) return characterOf(hex, decimal);
      const value = expand(name, depth + 1);
      if (value === undefined) throw new XmlFault(`the entity "${name}" is not declared`);
      return spend(value);
    });
  return (name) => {
    if (!NAME.test(name)) return undefined;
    const value = expand(name, 0);
    return value === undefined || PREDEFINED.has(name) ? value : spend(value);
  };
}

/** Characters by their number are replaced where the entity is declared, other references where it is used. */
function decodeCharacters(literal: string): string {
  return literal.replace(/&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,8}));/g, (_reference, hex, decimal) =>
    characterOf(hex, decimal),
  );
}

function characterOf(hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16);
  const isCharacter = code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0x10ffff);
  if (!isCharacter || (code >= 0xd800 && code <= 0xdfff)) throw new XmlFault(`there is no character ${code}`);
  return String.fromCodePoint(code);
}

function htmlEntity(name: string): string | undefined {
  const reference = `&${name};`;
  const text = decodeHTMLStrict(reference);
  return text === reference ? undefined : text;
}
