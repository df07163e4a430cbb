import { LenientXmlReader, skipToXml } from '@gleaner/xml';
import { SaxesParser } from 'saxes';
import type { Budget } from '../../budget.ts';
import type { Node } from '../node.ts';
import { readDocumentType, XmlError } from './document-type.ts';
import { createEntityLookup, type EntityLookup } from './entity-lookup.ts';
import { XmlTreeBuilder } from './xml-tree-builder.ts';

/** Amount of source parsed between two checks of the budget. */
const CHUNK_CHARS = 16 * 1024;

/** White space before the XML declaration: the most common error in feeds, left by templates. */
const SPACE_BEFORE_DECLARATION = /^\s+(?=<\?xml\s)/;

/**
 * Parses well-formed XML 1.0 or 1.1 without validating it, and without reading external entities. Throws an XmlError that
 * explains the error and its position, or UNSUPPORTED_CONTENT when the tree exceeds the budget.
 */
export function parseXml(source: string, budget: Budget): Node {
  // The parser would join half of a surrogate pair with the next character.
  if (!source.isWellFormed()) throw new XmlError('it contains half of a surrogate pair');
  const parser = new SaxesParser({ xmlns: false });
  const builder = new XmlTreeBuilder(budget, 'strict');
  let isStandalone = false;
  let lookUp = createEntityLookup({ entities: new Map(), isOpen: false });
  resolveEntities(parser, (name) => lookUp(name));
  parser.on('error', ({ message }) => {
    throw new XmlError(message.replace(/\.$/, ''));
  });
  parser.on('xmldecl', ({ standalone }) => {
    isStandalone = standalone === 'yes';
  });
  parser.on('doctype', (text) => {
    const { name, entities, isOpen } = readDocumentType(text);
    builder.addDoctype(name);
    lookUp = createEntityLookup({ entities, isOpen: isOpen && !isStandalone });
  });
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes));
  parser.on('closetag', () => builder.close());
  parser.on('text', (text) => builder.addText(text));
  parser.on('cdata', (text) => builder.addCdata(text));
  parser.on('comment', (text) => builder.addComment(text));
  parser.on('processinginstruction', ({ target, body }) => builder.addInstruction(target, body));

  const start = SPACE_BEFORE_DECLARATION.exec(source)?.[0].length ?? 0;
  for (let position = start; position < source.length; position += CHUNK_CHARS) {
    const chunk = source.slice(position, position + CHUNK_CHARS);
    budget.spendReading(chunk.length);
    parser.write(chunk);
  }
  parser.close();
  return builder.root;
}

/** Makes the parser look entities up on demand: it reads them from an object. */
function resolveEntities(parser: SaxesParser, lookUp: EntityLookup): void {
  parser.ENTITIES = new Proxy<Record<string, string>>(
    {},
    { get: (_target, name) => (typeof name === 'string' ? lookUp(name) : undefined) },
  );
}

/** Root elements of pages and of parts of pages, which are read as HTML although they were sent as XML. */
const HTML_ROOT = /^(?:html|head|body|div|span|p|br|h[1-6]|ul|ol|table|script|style|meta)$/i;

/**
 * Parses XML with errors as libraries for feeds do (`LenientXmlReader`). Returns null for a page, and for what has no element.
 * Throws UNSUPPORTED_CONTENT when the tree exceeds the budget.
 */
export function recoverXml(source: string, budget: Budget): Node | null {
  const builder = new XmlTreeBuilder(budget, 'lenient');
  let lookUp = lookUpLeniently('');
  let isPage = false;
  const reader = new LenientXmlReader({
    open: (name, attributes) => {
      isPage ||= !builder.hasRoot && HTML_ROOT.test(name);
      builder.open(name, attributes);
    },
    close: () => builder.close(),
    text: (text) => builder.addText(text),
    cdata: (text) => builder.addCdata(text),
    comment: (text) => builder.addComment(text),
    instruction: (target, data) => builder.addInstruction(target, data),
    doctype: (text) => {
      isPage ||= /^\s*html\b/i.test(text);
      builder.addDoctype(/^\s*([^\s[]*)/.exec(text)?.[1] ?? '');
      lookUp = lookUpLeniently(text);
    },
    entity: (name) => lookUp(name),
    spend: (chars) => budget.spendReading(chars),
  });
  const text = skipToXml(source.toWellFormed());
  reader.write(text.slice(0, CHUNK_CHARS));
  if (isPage) return null;
  reader.write(text.slice(CHUNK_CHARS));
  reader.close();
  return builder.hasRoot ? builder.root : null;
}

/** Looks up entities as in documents with a type, except that invalid ones are unknown. */
function lookUpLeniently(documentType: string): EntityLookup {
  const failed = new Set<string>();
  let lookUp: EntityLookup = () => undefined;
  try {
    lookUp = createEntityLookup(readDocumentType(documentType));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  return (name) => {
    if (failed.has(name)) return undefined;
    try {
      return lookUp(name);
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      failed.add(name);
      return undefined;
    }
  };
}
