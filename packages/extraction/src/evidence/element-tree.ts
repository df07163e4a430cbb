import { lowerBound } from '../match/find-elements.ts';
import type { PageEvidence } from './page-evidence.ts';
import type { Range } from './text-index.ts';

/** The elements of a page by the places of their texts. */
export class ElementTree {
  /** Orders of the elements with a place, and where these begin. */
  readonly #placed: Int32Array;
  readonly #placedStarts: Int32Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #parents: Int32Array;

  constructor({ starts, ends, parents }: Pick<PageEvidence, 'starts' | 'ends' | 'parents'>) {
    this.#placed = Int32Array.from(starts.keys()).filter((order) => (starts[order] as number) >= 0);
    this.#placedStarts = this.#placed.map((order) => starts[order] as number);
    this.#starts = starts;
    this.#ends = ends;
    this.#parents = parents;
  }

  /** Returns the elements around a place, innermost first: each with its part of the text and its order. */
  *around({ from, to }: Range): Generator<Range & { readonly order: number }> {
    let order = this.#placed[lowerBound(this.#placedStarts, from + 1) - 1] ?? -1;
    for (; order >= 0; order = this.#parents[order] as number) {
      const element = { from: this.#starts[order] as number, to: this.#ends[order] as number, order };
      if (element.from <= from && element.to >= to) yield element;
    }
  }
}
