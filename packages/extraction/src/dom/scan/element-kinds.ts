import { foreignContent } from 'parse5';
import { foldCase } from '../../css/code-points.ts';
import { Namespace } from '../node.ts';
import type { Projection } from '../projection/projection.ts';
import { partsWordsByName } from '../word-borders.ts';
import { type StartRule, tagRuleOf } from './tag-rules.ts';

/** Facts about the elements of a name on one page: one object for each name, so that comparing them is quick. */
export class ElementKind {
  readonly name: string;
  readonly start: StartRule;
  readonly traits: number;
  /** True if the elements are in the projection. */
  readonly isKept: boolean;
  /** True if text inside them is. */
  readonly isRead: boolean;
  readonly #partsWords: boolean;
  /** Attributes to read; undefined for none. */
  readonly wanted: ReadonlySet<string> | undefined;

  constructor(name: string, { names, markers, attributes, texts }: Projection) {
    const { start, traits } = tagRuleOf(name);
    this.name = name;
    this.start = start;
    this.traits = traits;
    const isNamed = names === null || names.has(name);
    this.isKept = isNamed || name === 'html';
    this.isRead = texts === null || texts.has(name);
    this.#partsWords = partsWordsByName(name, Namespace.html);
    this.wanted = isNamed || markers.size > 0 ? attributes : undefined;
  }

  /** Returns true if words inside the elements are apart from those around them. */
  partsWordsIn(namespace: string): boolean {
    return namespace === Namespace.html ? this.#partsWords : partsWordsByName(this.name, namespace);
  }

  /** Returns the local name in a namespace: some of SVG have capitals. */
  nameIn(namespace: string): string {
    if (namespace === Namespace.html) return this.name;
    return foreignContent.SVG_TAG_NAMES_ADJUSTMENT_MAP.get(this.name) ?? this.name;
  }
}

/** The kinds of elements of one page. */
export class ElementKinds {
  readonly #projection: Projection;
  readonly #kinds = new Map<string, ElementKind>();
  readonly html: ElementKind;
  readonly head: ElementKind;
  readonly body: ElementKind;
  readonly paragraph: ElementKind;
  readonly tbody: ElementKind;
  readonly row: ElementKind;
  readonly columns: ElementKind;

  constructor(projection: Projection) {
    this.#projection = projection;
    this.html = this.of('html');
    this.head = this.of('head');
    this.body = this.of('body');
    this.paragraph = this.of('p');
    this.tbody = this.of('tbody');
    this.row = this.of('tr');
    this.columns = this.of('colgroup');
  }

  /** Returns the kind of elements with a name, as it is written. */
  of(written: string): ElementKind {
    return this.#kinds.get(written) ?? this.#add(written);
  }

  #add(written: string): ElementKind {
    const name = foldCase(written);
    const kind = this.#kinds.get(name) ?? new ElementKind(name, this.#projection);
    this.#kinds.set(written, kind);
    this.#kinds.set(name, kind);
    return kind;
  }
}
