import type { Budget } from '../../budget.ts';
import { Namespace } from '../node.ts';

interface Binding {
  readonly prefix: string;
  readonly namespace: string;
  /** What the prefix stood for around the element. */
  readonly before: string | undefined;
}

/**
 * What prefixes stand for at one place of a document; '' is the default namespace. Elements are entered and left in
 * document order, at a cost that their own declarations alone decide.
 */
export class NamespaceScopes {
  readonly #namespaces = new Map<string, string>([['xml', Namespace.xml]]);
  readonly #prefixes = new Map<string, string[]>([[Namespace.xml, ['xml']]]);
  readonly #open: (Binding[] | null)[] = [];

  /** Goes into an element, whose declarations are still to be told. */
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

  /** Goes out of the innermost element. */
  leave(): void {
    const bindings = this.#open.pop() ?? [];
    for (const { prefix, namespace, before } of bindings.reverse()) {
      this.#prefixes.get(namespace)?.pop();
      if (before === undefined) this.#namespaces.delete(prefix);
      else this.#namespaces.set(prefix, before);
    }
  }

  /** The namespace that a prefix stands for; undefined where it is not declared, or declared to be nothing. */
  namespaceOf(prefix: string): string | undefined {
    return this.#namespaces.get(prefix) || undefined;
  }

  /** A prefix that stands for the namespace: the preferred one if it does, else the latest; undefined without any. */
  prefixOf(namespace: string, preferred: string, budget: Budget): string | undefined {
    if (preferred !== '' && this.#namespaces.get(preferred) === namespace) return preferred;
    return this.#prefixes.get(namespace)?.findLast((prefix) => {
      budget.spend(1);
      return prefix !== '' && this.#namespaces.get(prefix) === namespace;
    });
  }
}
