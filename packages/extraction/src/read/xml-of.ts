import { escapeAttribute, escapeText } from '@gleaner/xml';
import type { Token } from 'parse5';
import type { Budget } from '../budget.ts';
import { CDATA, Namespace, type Node, NodeKind } from '../dom/node.ts';
import { NamespaceScopes } from '../dom/xml/namespace-scopes.ts';
import { isVoid } from './html-of.ts';
import { type IsLeftOut, isNever } from './text-of.ts';

/** Serializes an element of an XML document as browsers do (`outerHTML`), without what is left out. DOM Parsing §3.2. */
export function xmlOf(element: Node, budget: Budget, isLeftOut: IsLeftOut = isNever): string {
  const writer = new XmlWriter(budget);
  // Nodes still to write, and ends of those whose content comes before them.
  const pending: (Node | EndOfElement)[] = [element];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('endTag' in next) {
      writer.leave(next);
    } else if (next.kind !== NodeKind.element) {
      writer.write(markupOf(next));
    } else {
      pending.push(writer.enter(next));
      for (let child = (next.content ?? next).last; child !== null; child = child.previous)
        if (!isLeftOut(child)) pending.push(child);
    }
  }
  return writer.xml;
}

interface EndOfElement {
  /** '' if the start tag closes itself. */
  readonly endTag: string;
  /** Default namespace around the element in the written text. */
  readonly defaultAround: string;
}

/** Writes markup with the namespace declarations that its names need to keep their meaning. */
class XmlWriter {
  xml = '';
  /** Namespace of names without a prefix at this position. */
  #default = '';
  readonly #scopes = new NamespaceScopes();
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(markup: string): void {
    this.#budget.spendReading(markup.length);
    this.xml += markup;
  }

  /** Writes the start tag of an element. */
  enter(element: Node): EndOfElement {
    const defaultAround = this.#default;
    this.#scopes.enter();
    for (const { name, namespace, prefix, value } of element.attributes) {
      if (namespace === Namespace.xmlns && prefix) this.#scopes.declare(name, value);
    }
    const { name, declaration, ignoresDefault } = this.#nameOf(element);
    let tag = `<${name}${declaration}`;
    for (const attribute of element.attributes) {
      if (!ignoresDefault || !isDefault(attribute)) tag += this.#attributeOf(attribute);
    }
    const isEmpty = (element.content ?? element).first === null;
    const closesItself = isEmpty && (element.namespace !== Namespace.html || isVoid(element));
    if (closesItself) this.write(`${tag}${element.namespace === Namespace.html ? ' />' : '/>'}`);
    else this.write(`${tag}>`);
    return { endTag: closesItself ? '' : `</${name}>`, defaultAround };
  }

  leave({ endTag, defaultAround }: EndOfElement): void {
    this.write(endTag);
    this.#scopes.leave();
    this.#default = defaultAround;
  }

  /** Returns the name that puts the element in its namespace here, and the declaration that it needs. */
  #nameOf({ name, namespace, value: prefix, attributes }: Node): NameInScope {
    const qualified = prefix === '' ? name : `${prefix}:${name}`;
    if (namespace === '' && prefix !== '') return { name: qualified, declaration: '' };
    const own = attributes.find(isDefault)?.value;
    if (namespace === this.#default) return { name, declaration: '', ignoresDefault: own !== namespace };
    if (prefix === '' && own === namespace) {
      this.#default = namespace;
      return { name, declaration: '' };
    }
    const known = this.#scopes.prefixOf(namespace, prefix, this.#budget);
    if (known === undefined && prefix === '') {
      this.#default = namespace;
      return { name, declaration: ` xmlns="${escapeAttribute(namespace)}"` };
    }
    this.#default = own ?? this.#default;
    if (known !== undefined) return { name: `${known}:${name}`, declaration: '' };
    return { name: qualified, declaration: this.#declare(prefix, namespace) };
  }

  #attributeOf({ name, namespace, prefix, value }: Token.Attribute): string {
    const written = `="${escapeAttribute(value)}"`;
    if (!prefix) return ` ${name}${written}`;
    if (!namespace || namespace === Namespace.xmlns) return ` ${prefix}:${name}${written}`;
    const known = this.#scopes.prefixOf(namespace, prefix, this.#budget);
    if (known !== undefined) return ` ${known}:${name}${written}`;
    return `${this.#declare(prefix, namespace)} ${prefix}:${name}${written}`;
  }

  #declare(prefix: string, namespace: string): string {
    this.#scopes.declare(prefix, namespace);
    return ` xmlns:${prefix}="${escapeAttribute(namespace)}"`;
  }
}

interface NameInScope {
  readonly name: string;
  readonly declaration: string;
  /** True if the element is written without its prefix, so that the default namespace must not change. */
  readonly ignoresDefault?: boolean;
}

function isDefault({ namespace, prefix }: Token.Attribute): boolean {
  return namespace === Namespace.xmlns && !prefix;
}

function markupOf({ kind, name, value }: Node): string {
  if (kind === NodeKind.comment) return `<!--${value}-->`;
  if (kind === NodeKind.instruction) return `<?${name} ${value}?>`;
  return name === CDATA ? `<![CDATA[${value}]]>` : escapeText(value);
}
