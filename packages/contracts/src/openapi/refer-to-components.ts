import { COMPONENTS } from '../schema/components.ts';

/** A part of the document: plain JSON. */
export type JsonObject = { [key: string]: unknown };

/** Converts a schema for the document: named schemas become references, our own keywords are left out. */
export function referToComponents(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referToComponents);
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = NAMES.get(JSON.stringify(schema));
  if (name) return { $ref: `#/components/schemas/${name}` };
  const parts = Object.entries(schema).filter(([keyword]) => !OWN_KEYWORDS.has(keyword));
  return Object.fromEntries(parts.map(([keyword, part]) => [keyword, referToComponents(part)]));
}

/** Keywords of our checks, which other readers do not know. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set(['x-expected', 'x-told-by']);

/** Names by the JSON of the schema, because an optional schema is a copy. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(COMPONENTS).map(([name, schema]) => [JSON.stringify(schema), name]),
);
