import { expect, it } from '@jest/globals';
import { Type as Typebox } from 'typebox';
import { Type } from './type.ts';

/** Calls of every builder, with and without options. */
const SCHEMAS: Readonly<Record<string, (type: typeof Type) => object>> = {
  String: (type) => [type.String(), type.String({ minLength: 1, description: 'A name.' })],
  Number: (type) => [type.Number(), type.Number({ minimum: 0 })],
  Integer: (type) => [type.Integer(), type.Integer({ maximum: 5 })],
  Boolean: (type) => [type.Boolean(), type.Boolean({ default: true })],
  Null: (type) => [type.Null(), type.Null({ description: 'Nothing.' })],
  Unknown: (type) => [type.Unknown(), type.Unknown({ description: 'Anything.' })],
  Literal: (type) => [type.Literal(true), type.Literal(3), type.Literal('a', { description: 'The letter.' })],
  Array: (type) => [type.Array(type.String()), type.Array(type.Unknown(), { maxItems: 3 })],
  Union: (type) => [type.Union([type.String(), type.Null()], { description: 'A name or null.' })],
  Unsafe: (type) => [type.Unsafe<string>({ type: 'string', format: 'date-time' })],
  Optional: (type) => [type.Optional(type.Unsafe<string>({ type: 'string' }))],
  Object: (type) => [
    type.Object({}),
    type.Object({ a: type.Optional(type.String()) }),
    type.Object(
      { b: type.Integer(), a: type.Optional(type.Array(type.String())) },
      { additionalProperties: false },
    ),
    type.Object({ inner: type.Object({ c: type.Optional(type.Null()), d: type.Literal(false) }) }),
  ],
};

it.each(Object.keys(Type))("builds the JSON Schema of typebox's %s", (name) => {
  const build = SCHEMAS[name];
  // As text, so that the order of keys counts, which the OpenAPI document shows.
  expect(JSON.stringify(build?.(Type))).toBe(JSON.stringify(build?.(Typebox as unknown as typeof Type)));
  expect(build).toBeDefined();
});
