import { XmlFault } from './xml-fault.ts';

/** What a document type declaration says; external subsets are never read. */
export interface DocumentType {
  readonly name: string;
  /** The general entities and their literal values; '' for those that stand elsewhere, which are never fetched. */
  readonly entities: ReadonlyMap<string, string>;
  /** Whether there are declarations elsewhere, so that what is not declared here may be declared there. */
  readonly isOpen: boolean;
}

/** A longer subset is not one of a page. */
const MAX_CHARS = 1_000_000;

const NAME = /\s*([^\s[]+)\s*/y;
const EXTERNAL_ID = /(?:SYSTEM\s+(?:"[^"]*"|'[^']*')|PUBLIC\s+(?:"[^"]*"|'[^']*')\s+(?:"[^"]*"|'[^']*'))\s*/y;
const ENTITY = /^<!ENTITY\s+([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM\s|PUBLIC\s)/;

/** Reads what stands between `<!DOCTYPE` and its `>`. XML 1.0 §2.8. */
export function readDocumentType(text: string): DocumentType {
  if (text.length > MAX_CHARS) throw new XmlFault(`the document type is over ${MAX_CHARS} characters long`);
  NAME.lastIndex = 0;
  const name = NAME.exec(text)?.[1] ?? '';
  EXTERNAL_ID.lastIndex = NAME.lastIndex;
  const isExternal = EXTERNAL_ID.test(text);
  const subset = text.indexOf('[', isExternal ? EXTERNAL_ID.lastIndex : NAME.lastIndex);
  if (subset < 0) return { name, entities: new Map(), isOpen: isExternal };
  const { entities, isOpen } = readSubset(text, subset + 1);
  return { name, entities, isOpen: isOpen || isExternal };
}

function readSubset(text: string, start: number): Omit<DocumentType, 'name'> {
  const entities = new Map<string, string>();
  let isOpen = false;
  for (let position = start; position < text.length && text[position] !== ']'; ) {
    if (text[position] === '<') {
      const end = endOfDeclaration(text, position);
      const [, name, quoted, single] = ENTITY.exec(text.slice(position, end)) ?? [];
      // The first declaration of a name counts.
      if (name !== undefined && !entities.has(name)) entities.set(name, quoted ?? single ?? '');
      position = end;
    } else {
      isOpen ||= text[position] === '%';
      position += 1;
    }
  }
  return { entities, isOpen };
}

function endOfDeclaration(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return after(text, '-->', start + 4);
  if (text.startsWith('<?', start)) return after(text, '?>', start + 2);
  for (let position = start; position < text.length; position++) {
    const char = text[position];
    if (char === '>') return position + 1;
    if (char === '"' || char === "'") position = after(text, char, position + 1) - 1;
  }
  throw new XmlFault('a declaration in the document type has no end');
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new XmlFault(`there is no ${mark} in the document type where one has to be`);
  return at + mark.length;
}
