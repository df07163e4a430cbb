import type { Schema } from './tool.ts';

/** Options of a scrape that agents set most; descriptions are short, since every conversation pays for them. */
export const PAGE_OPTIONS: Readonly<Record<string, Schema>> = {
  selectors: {
    type: 'object',
    description:
      'Field name to CSS selector: "h1", "a::attr(href)", "article::html", "li::text::all" (list). For records: {"selector":".card","all":true,"fields":{"title":"h2"}}. An object may add "type": number, price, date, url, json, table, markdown',
  },
  formats: {
    type: 'array',
    items: {
      type: 'string',
      enum: ['markdown', 'article', 'metadata', 'links', 'tables', 'text', 'html'],
    },
    description: 'Whole-page formats',
  },
  render: { type: 'boolean', description: 'Run JavaScript in a browser' },
  antiBot: { type: 'boolean', description: 'If the site blocks the request' },
};

/** Arguments that ask for the rest of an answer that was cut. */
export const PART: Readonly<Record<string, Schema>> = {
  path: { type: 'string' },
  from: { type: 'integer', minimum: 0 },
};

/** Arguments of the calls that get what was cut off. */
export const NEXT: Schema = { type: 'array' };

/** The mark of answers that hold text of web pages. */
export const UNTRUSTED: Schema = { type: 'boolean' };

export const COUNT: Schema = { type: 'integer' };
export const TEXT: Schema = { type: 'string' };
export const OBJECT: Schema = { type: 'object' };
export const LIST: Schema = { type: 'array' };

/** Returns the schema of an answer. A part that was asked for by its path has a form of its own. */
export function answers(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties: { ...properties, next: NEXT } };
}
