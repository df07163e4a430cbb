import type { TSchema } from 'typebox';

/** A decimal integer that a double can hold exactly. */
const WHOLE_NUMBER = /^-?\d{1,15}$/;

/**
 * Converts the texts that the schema declares as integers to numbers. A text that is not written like an integer stays a
 * text, so that the schema rejects it.
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
