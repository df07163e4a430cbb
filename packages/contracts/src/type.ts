import type * as typebox from 'typebox';

/** Marks schemas of properties that an object may lack. */
const OPTIONAL = Symbol('optional');

type Schema = Readonly<Record<string | symbol, unknown>>;

/**
 * Builders of JSON Schemas with the types of typebox, so that `Static` derives the type of a value from its
 * schema. typebox's own builders make the same schemas, with an interpreter of types not needed by any
 * service: docs/decisions/schemas.md.
 */
export const Type = {
  String: (options?: object) => ({ type: 'string', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Array: (items: Schema, options?: object) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly Schema[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Object: (properties: Readonly<Record<string, Schema>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !properties[name]?.[OPTIONAL]);
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
} as unknown as Pick<typeof typebox.Type, BuilderName>;

type BuilderName =
  | 'String'
  | 'Number'
  | 'Integer'
  | 'Boolean'
  | 'Null'
  | 'Unknown'
  | 'Literal'
  | 'Array'
  | 'Union'
  | 'Unsafe'
  | 'Optional'
  | 'Object';
