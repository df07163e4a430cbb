import type { Budget } from '../../budget.ts';
import { Namespace } from '../node.ts';

interface Binding {
  readonly prefix: string;
  readonly namespace: string;
  /** Namespace of the prefix outside of the element. */
  readonly before: string | undefined;
}

/**
 * Namespaces of the prefixes at the current position of a document; the prefix '' is the default namespace. Elements are
 * entered and left in document order, at a cost that depends only on their own declarations.
 */
export class NamespaceScopes {
  readonly #namespaces = new Map<string, string>([['xml', Namespace.xml]]);
  readonly #prefixes = new Map<string, string[]>([[Namespace.xml, ['xml']]]);
  readonly #open: (Binding[] | null)[] = [];

  /** Enters an element; its declarations follow. */
  enter(): void {
    this.#open.push(null);
  }

  /** Declares a prefix on the innermost element. */
  declare(prefix: string, namespace: string): void {
    const bindings = this.#open.pop() ?? [];
    bindings.push({ prefix, namespace, before: this.#namespaces.get(prefix) });
    this.#open.push(bindings);
    this.#namespaces.set(prefix, namespace);
    const prefixes = this.#prefixes.get(namespace);
    if (prefixes) prefixes.push(prefix);
    else this.#prefixes.set(namespace, [prefix]);
  }

  /** Leaves the innermost element. */
  leave(): void {
    const bindings = this.#open.pop() ?? [];
    for (const { prefix, namespace, before } of bindings.reverse()) {
      this.#prefixes.get(namespace)?.pop();
      if (before === undefined) this.#namespaces.delete(prefix);
      else this.#namespaces.set(prefix, before);
    }
  }

  /** Returns the namespace of a prefix; undefined if it is not declared, or declared as ''. */
  namespaceOf(prefix: string): string | undefined {
    return this.#namespaces.get(prefix) || undefined;
  }

  /** Returns a prefix of the namespace: the preferred one if possible, else the latest; undefined if it has none. */
  prefixOf(namespace: string, preferred: string, budget: Budget): string | undefined {
    if (preferred !== '' && this.#namespaces.get(preferred) === namespace) return preferred;
    return this.#prefixes.get(namespace)?.findLast((prefix) => {
      budget.spend(1);
      return prefix !== '' && this.#namespaces.get(prefix) === namespace;
    });
  }
}

/** Parts of a name; without a colon, or with several, all of it is the local name. */
export interface QualifiedName {
  readonly prefix: string;
  readonly local: string;
}

/** Splits `prefix:local`. Namespaces in XML 1.0 §4. */
export function splitName(name: string): QualifiedName {
  const colon = name.indexOf(':');
  const isPlain = colon <= 0 || colon === name.length - 1 || name.includes(':', colon + 1);
  return isPlain
    ? { prefix: '', local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
