import type { Doc } from '../bson/bson-types.ts';

/** A field of an index and its direction. */
export interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

/** An index as `createIndexes` names it and `listIndexes` returns it, checked. */
export interface IndexSpec {
  readonly name: string;
  readonly key: Doc;
  readonly fields: readonly IndexField[];
  readonly isUnique: boolean;
  readonly isSparse: boolean;
  readonly isHidden: boolean;
  readonly partialFilterExpression: Doc | undefined;
  readonly expireAfterSeconds: number | undefined;
}
