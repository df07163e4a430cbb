import type { Static, TObjectOptions, TSchema } from 'typebox';
import { Type } from './type.ts';

/** An object with any keys, whose values all match one schema. */
export function MapOf<Value extends TSchema>(value: Value, options: TObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}

/** A string from a list; the type keeps the literal values. */
export function OneOf<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });
}

/** The schema, or null. */
export function Nullable<Value extends TSchema>(value: Value, options: object = {}) {
  return Type.Unsafe<Static<Value> | null>({ anyOf: [value, { type: 'null' }], ...options });
}

/** A name given by a person, without control characters, which a terminal would obey, and without lone surrogates. */
export function Name(options: object = {}) {
  return Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    'x-expected': 'a text of 1 to 200 characters without control characters',
    ...options,
  });
}

/** A timestamp: ISO 8601 in UTC, with `Z`. */
export function Timestamp(options: object = {}) {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options });
}
