import type { Token } from 'parse5';
import type { Budget } from '../../budget.ts';
import { appendChild, CDATA, createNode, isHtmlElement, Namespace, type Node, NodeKind } from '../node.ts';
import { createIntern, STEPS_PER_NODE } from '../tree-adapter.ts';
import { XmlError } from './document-type.ts';
import { NamespaceScopes, splitName } from './namespace-scopes.ts';

/** Treatment of errors: leniently, an attribute that is given twice with different prefixes keeps its first value. */
export type Strictness = 'strict' | 'lenient';

/** Builds the tree of an XML document from a parser's events, and charges the budget for every node. */
export class XmlTreeBuilder {
  readonly root = createNode(NodeKind.document, '');
  readonly #budget: Budget;
  readonly #intern = createIntern();
  readonly #scopes = new NamespaceScopes();
  /** Parents of new nodes: the document, then an element or a template's content for each open tag. */
  readonly #parents: Node[] = [this.root];

  readonly #strictness: Strictness;

  constructor(budget: Budget, strictness: Strictness) {
    this.#budget = budget;
    this.#strictness = strictness;
  }

  /** True once an element was opened. */
  hasRoot = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.hasRoot = true;
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

  /** Adds a text node; white space outside of the root element is dropped, and so is an empty text, which no markup could have. */
  addText(text: string): void {
    if (text !== '' && this.#parents.length > 1) this.#append(createNode(NodeKind.text, '', '', text));
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
    return names.flatMap((qualified): Token.Attribute | [] => {
      const value = this.#intern(values[qualified] ?? '');
      const { prefix, local } = splitName(qualified);
      const name = this.#intern(local);
      if (qualified === 'xmlns') return { name, value, prefix: '', namespace: Namespace.xmlns };
      if (prefix === '') return { name, value };
      const namespace = prefix === 'xmlns' ? Namespace.xmlns : this.#scopes.namespaceOf(prefix);
      if (namespace === undefined) return { name, value, prefix: this.#intern(prefix) };
      const expanded = `${namespace} ${local}`;
      if (seen.has(expanded)) {
        if (this.#strictness === 'lenient') return [];
        throw new XmlError(`the attribute ${qualified} is given twice, with different prefixes`);
      }
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
