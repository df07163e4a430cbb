import type { Node } from './node.ts';

/** Maximum number of pieces waiting to be joined. */
const MAX_PIECES = 4096;

/**
 * Collects the pieces that the parser appends to a text, one word each. V8 would keep strings concatenated one by one as a
 * tree, which takes many times the memory of the text.
 */
export class TextBuffer {
  #node: Node | null = null;
  #pieces: string[] = [];

  /** Appends a piece to a text node; its value is complete after `flush`. */
  append(node: Node, piece: string): void {
    if (node !== this.#node || this.#pieces.length >= MAX_PIECES) this.flush();
    this.#node = node;
    this.#pieces.push(piece);
  }

  /** Adds the waiting pieces to their text node. */
  flush(): void {
    if (this.#node !== null) this.#node.value += this.#pieces.join('');
    this.#node = null;
    this.#pieces = [];
  }
}
