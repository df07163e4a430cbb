import type { Token } from 'parse5';
import type { Budget } from '../../budget.ts';
import { foldCase } from '../../css/code-points.ts';
import { appendChild, createNode, Namespace, type Node, NodeKind } from '../node.ts';
import type { Projection } from '../projection/projection.ts';
import type { TextBuffer } from '../text-buffer.ts';
import { STEPS_PER_NODE } from '../tree-adapter.ts';
import type { ElementKind } from './element-kinds.ts';
import { unusual } from './unusual.ts';

/** Collaborators of the nodes of a projection. */
export interface KeptNodesDeps {
  readonly projection: Projection;
  readonly texts: TextBuffer;
  readonly budget: Budget;
}

/** The nodes of a projection while open elements append to them. */
export class KeptNodes {
  readonly root: Node = createNode(NodeKind.document, '');
  readonly #deps: KeptNodesDeps;
  /** For each open element, the kept node that receives its content: its own, or that of an element around it. */
  readonly #keepers: Node[] = [];
  /** For each open element, whether text inside is kept. */
  readonly #areRead: boolean[] = [];

  constructor(deps: KeptNodesDeps) {
    this.#deps = deps;
  }

  /** True if text in the current element is kept. */
  get isRead(): boolean {
    return this.#areRead.at(-1) === true;
  }

  /** Opens an element inside the current one. */
  push(kind: ElementKind, attributes: Token.Attribute[], namespace: string): void {
    this.#deps.budget.spend(STEPS_PER_NODE);
    const isInsideRead = this.isRead;
    const isMarked = attributes.length > 0 && this.#isMarked(attributes);
    let keeper = this.#keepers.at(-1) ?? this.root;
    if (kind.isKept || isMarked) {
      // Some names of SVG have capitals or a prefix.
      if (namespace !== Namespace.html && attributes.length > 0) unusual();
      keeper = this.#append(
        keeper,
        createNode(NodeKind.element, kind.nameIn(namespace), namespace, '', attributes),
      );
    } else if (isInsideRead && kind.partsWordsIn(namespace)) {
      keeper = this.#append(keeper, createNode(NodeKind.element, kind.name, namespace));
    }
    this.#keepers.push(keeper);
    this.#areRead.push(isInsideRead || kind.isRead || isMarked);
  }

  #append(parent: Node, node: Node): Node {
    appendChild(parent, node);
    return node;
  }

  /** Closes the current element. */
  drop(): void {
    this.#keepers.pop();
    this.#areRead.pop();
  }

  /** Appends text to the current element. */
  text(text: string): void {
    const keeper = this.#keepers.at(-1);
    if (keeper === undefined || text === '') return;
    if (keeper.last?.kind === NodeKind.text) {
      this.#deps.texts.append(keeper.last, text);
      return;
    }
    this.#deps.budget.spend(STEPS_PER_NODE);
    appendChild(keeper, createNode(NodeKind.text, '', '', text));
  }

  #isMarked(attributes: readonly Token.Attribute[]): boolean {
    const { markers } = this.#deps.projection;
    return markers.size > 0 && attributes.some(({ name }) => markers.has(foldCase(name)));
  }
}
