/**
 * The part of an HTML document that an extraction can see. Elements that are left out pass their children on to the nearest
 * element around them that is kept, so kept elements stay in order and inside each other. Inside elements whose text is kept,
 * those that part words are kept too, without attributes.
 */
export interface Projection {
  /** Names of the kept elements, in lower case; null keeps every element. */
  readonly names: ReadonlySet<string> | null;
  /** Names of attributes whose elements are kept too, in lower case. */
  readonly markers: ReadonlySet<string>;
  /** Names of the kept attributes, in lower case. */
  readonly attributes: ReadonlySet<string>;
  /** Names of the elements whose text is kept, beside those with a marker; null keeps all text. */
  readonly texts: ReadonlySet<string> | null;
}
