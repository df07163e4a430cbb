import { decodeHTMLStrict } from 'entities/decode';
import type { Token } from 'parse5';
import { SaxesParser } from 'saxes';
import type { Budget } from '../../budget.ts';
import { appendChild, CDATA, createNode, isHtmlElement, Namespace, type Node, NodeKind } from '../node.ts';
import { createIntern, STEPS_PER_NODE } from '../tree-adapter.ts';
import { type DocumentType, readDocumentType, XmlError } from './document-type.ts';
import { NamespaceScopes, splitName } from './namespace-scopes.ts';

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
  const builder = new XmlTreeBuilder(budget);
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

/** Builds the tree of an XML document from a parser's events, and charges the budget for every node. */
class XmlTreeBuilder {
  readonly root = createNode(NodeKind.document, '');
  readonly #budget: Budget;
  readonly #intern = createIntern();
  readonly #scopes = new NamespaceScopes();
  /** Parents of new nodes: the document, then an element or a template's content for each open tag. */
  readonly #parents: Node[] = [this.root];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const names = declarationsFirst(Object.keys(attributes));
    this.#budget.spend(names.length);
    this.#scopes.enter();
    for (const declared of names) {
      const prefix = declaredPrefix(declared);
      if (prefix === undefined) break;
      this.#scopes.declare(this.#intern(prefix), attributes[declared] ?? '');
    }
    const { prefix, local } = splitName(name);
    const element = createNode(
      NodeKind.element,
      this.#intern(local),
      // With a prefix that is not declared, the element has no namespace; browsers reject the document.
      this.#scopes.namespaceOf(prefix) ?? '',
      this.#intern(prefix),
      this.#toAttributes(names, attributes),
    );
    this.#append(element);
    if (isHtmlElement(element, 'template')) element.content = createNode(NodeKind.fragment, '');
    this.#parents.push(element.content ?? element);
  }

  close(): void {
    this.#parents.pop();
    this.#scopes.leave();
  }

  /** Adds a text node; white space outside of the root element is dropped. */
  addText(text: string): void {
    if (this.#parents.length > 1) this.#append(createNode(NodeKind.text, '', '', text));
  }

  addCdata(text: string): void {
    this.#append(createNode(NodeKind.text, CDATA, '', text));
  }

  addComment(text: string): void {
    this.#append(createNode(NodeKind.comment, '', '', text));
  }

  addInstruction(target: string, data: string): void {
    this.#append(createNode(NodeKind.instruction, target, '', data));
  }

  addDoctype(name: string): void {
    this.#append(createNode(NodeKind.doctype, name));
  }

  #append(node: Node): void {
    this.#budget.spend(STEPS_PER_NODE);
    appendChild(this.#parents.at(-1) ?? this.root, node);
  }

  #toAttributes(
    names: readonly string[],
    values: Readonly<Record<string, string>>,
  ): Token.Attribute[] | undefined {
    if (names.length === 0) return undefined;
    const seen = new Set<string>();
    return names.map((qualified) => {
      const value = this.#intern(values[qualified] ?? '');
      const { prefix, local } = splitName(qualified);
      const name = this.#intern(local);
      if (qualified === 'xmlns') return { name, value, prefix: '', namespace: Namespace.xmlns };
      if (prefix === '') return { name, value };
      const namespace = prefix === 'xmlns' ? Namespace.xmlns : this.#scopes.namespaceOf(prefix);
      if (namespace === undefined) return { name, value, prefix: this.#intern(prefix) };
      const expanded = `${namespace} ${local}`;
      if (seen.has(expanded))
        throw new XmlError(`the attribute ${qualified} is given twice, with different prefixes`);
      seen.add(expanded);
      return { name, value, prefix: this.#intern(prefix), namespace };
    });
  }
}

/** Moves namespace declarations before all other attributes, as browsers do. */
function declarationsFirst(names: readonly string[]): readonly string[] {
  const isDeclaration = (name: string) => declaredPrefix(name) !== undefined;
  const declarations = names.filter(isDeclaration);
  if (declarations.length === 0) return names;
  return [...declarations, ...names.filter((name) => !isDeclaration(name))];
}

/** Returns the prefix that an attribute declares, '' for the default namespace; undefined for other attributes. */
function declaredPrefix(name: string): string | undefined {
  if (name === 'xmlns') return '';
  return name.startsWith('xmlns:') && name.length > 6 ? name.slice(6) : undefined;
}

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
type EntityLookup = (name: string) => string | undefined;

/**
 * Creates a lookup of the entities of XML, those that the document declares as text, and those of HTML, which browsers
 * support only in XHTML. Entities that an external subset may declare are '', as in browsers. Throws an XmlError for
 * entities that contain markup or expand to too much text.
 */
function createEntityLookup({ entities, isOpen }: Omit<DocumentType, 'name'>): EntityLookup {
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
