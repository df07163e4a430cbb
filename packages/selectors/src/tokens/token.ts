/** Kind of a condition; candidates that differ in kinds are proposed side by side. */
export type TokenKind =
  | 'test-id'
  | 'id'
  | 'property'
  | 'attribute'
  | 'label'
  | 'class'
  | 'class-part'
  | 'presence'
  | 'prefix'
  | 'address'
  | 'tag'
  | 'position'
  | 'has'
  | 'except';

/** Comparison of an attribute; `exists` only asks for the attribute. */
export type AttributeOperator = '=' | '^=' | '*=' | 'exists';

/** Condition on one element, in a form that an index can look up. */
export type Condition =
  | { readonly on: 'any' }
  /** Is the record that a field belongs to. */
  | { readonly on: 'scope' }
  | { readonly on: 'tag'; readonly name: string }
  | { readonly on: 'id'; readonly value: string }
  | { readonly on: 'class'; readonly name: string }
  | {
      readonly on: 'attribute';
      readonly name: string;
      readonly operator: AttributeOperator;
      readonly value: string;
    }
  /** Place among the siblings of the same tag, from 1; `last` is the last of them. */
  | { readonly on: 'position'; readonly place: number | 'last' }
  /** Contains an element that meets the token. */
  | { readonly on: 'has'; readonly inner: Token }
  /** Does not meet the token. */
  | { readonly on: 'not'; readonly inner: Token }
  /** Has a child with this name that meets the token or contains an element meeting it. */
  | { readonly on: 'child'; readonly name: string; readonly isSelf: boolean; readonly inner: Token };

/** One condition of a selector, with what speaks against it. */
export interface Token {
  readonly kind: TokenKind;
  readonly css: string;
  /** Weight against it: 0 is a name made for programs, 25 is one that the next build of the site changes. */
  readonly penalty: number;
  readonly condition: Condition;
}
