/** Content of a document type declaration; external subsets are never read. */
export interface DocumentType {
  readonly name: string;
  /** General entities and their literal values; '' for external ones, which are never fetched. */
  readonly entities: ReadonlyMap<string, string>;
  /** True if declarations elsewhere may declare more entities. */
  readonly isOpen: boolean;
}

/** Longest document type; those of real pages are far shorter. */
const MAX_CHARS = 1_000_000;

const NAME = /\s*([^\s[]+)\s*/y;
const EXTERNAL_ID = /(?:SYSTEM\s+(?:"[^"]*"|'[^']*')|PUBLIC\s+(?:"[^"]*"|'[^']*')\s+(?:"[^"]*"|'[^']*'))\s*/y;
const ENTITY = /^<!ENTITY\s+([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)'|SYSTEM\s|PUBLIC\s)/;

/** Parses the text between `<!DOCTYPE` and its `>`. XML 1.0 §2.8. */
export function readDocumentType(text: string): DocumentType {
  if (text.length > MAX_CHARS) throw new XmlError(`the document type is longer than ${MAX_CHARS} characters`);
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
      // If a name is declared twice, the first declaration is used.
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
  throw new XmlError('a declaration in the document type is not closed');
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  if (at < 0) throw new XmlError(`${mark} is missing in the document type`);
  return at + mark.length;
}

/** Explains why a source is not well-formed XML. */
export class XmlError extends Error {}
