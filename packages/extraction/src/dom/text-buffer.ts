import type { Node } from './node.ts';

/** How many pieces of a text wait to be joined. */
const MAX_PIECES = 4096;

/**
 * Gathers the pieces that a parser adds to a text, a word each. Added one by one they would be kept as a tree of
 * strings, which takes ten times the memory of the text.
 */
export class TextBuffer {
  #node: Node | null = null;
  #pieces: string[] = [];

  /** Adds a piece at the end of a text node; its value is whole after `flush`. */
  append(node: Node, piece: string): void {
    if (node !== this.#node || this.#pieces.length >= MAX_PIECES) this.flush();
    this.#node = node;
    this.#pieces.push(piece);
  }

  /** Brings the last text node up to date. */
  flush(): void {
    if (this.#node !== null) this.#node.value += this.#pieces.join('');
    this.#node = null;
    this.#pieces = [];
  }
}
