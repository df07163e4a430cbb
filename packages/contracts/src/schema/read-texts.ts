import type { TSchema } from 'typebox';

/** A whole number as people write it; none that a double could not hold. */
const WHOLE_NUMBER = /^-?\d{1,15}$/;

/**
 * Texts by their names, those as numbers that the schema wants as such and that are written like one. All others stay
 * texts, so that the schema refuses them.
 */
export function readTexts(schema: TSchema, texts: unknown): unknown {
  if (typeof texts !== 'object' || texts === null) return texts;
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const isNumber = properties[name]?.type === 'integer' && WHOLE_NUMBER.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}
