import { type Format, type Gleaner, withFormatOptions } from '@gleaner/client';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { type Answer, ToolError } from '../answer/render-answer.ts';

/** The part of JSON Schema that tools use. */
export interface Schema {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

/** Everything that a call works with. */
export interface CallContext {
  readonly gleaner: Gleaner;
  /** Aborts when the agent cancels the call. */
  readonly signal: AbortSignal;
}

/** Arguments after they were checked against the schema. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Scope that a key needs for a tool. */
type ToolScope = 'scrape' | 'jobs' | 'schedules';

/** A tool as agents see it, and what it does. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: ToolScope;
  readonly annotations: ToolAnnotations;
  readonly input: Schema;
  readonly output: Schema;
  call(args: Arguments, context: CallContext): Promise<Answer>;
}

/** Options of a scrape that agents set most; descriptions are short, since every conversation pays for them. */
export const PAGE_OPTIONS: Readonly<Record<string, Schema>> = {
  selectors: {
    type: 'object',
    description:
      'Field name to CSS selector: "h1", "a::attr(href)", "li::text::all" (list). For records: {"selector":".card","all":true,"fields":{"title":"h2"}}. An object may add "type": number, price, date, url, json, table, markdown',
  },
  formats: {
    type: 'array',
    items: {
      type: 'string',
      enum: ['markdown', 'article', 'metadata', 'links', 'images', 'tables', 'text', 'html'],
    },
  },
  main: { type: 'boolean', description: 'Main content' },
  render: {
    type: ['boolean', 'string'],
    description: 'JavaScript; "auto": if empty without',
  },
  antiBot: { type: 'boolean', description: 'If blocked' },
  onSuspect: { type: 'string', enum: ['keep', 'fail'] },
  profile: { type: 'string', description: 'prof_…: as signed in' },
  recipe: { type: 'string' },
  extract: { type: 'object', description: 'By a model: {schema}' },
};

/**
 * Returns the arguments in the form of the API, in which each format has its own options. Hidden text is dropped: it is written
 * for agents more often than for people.
 */
export function toPageOptions({ main, ...others }: Arguments): Arguments {
  const asked = others.formats as readonly Format[] | undefined;
  if (asked === undefined && main !== true) return others;
  const formats = withFormatOptions(asked ?? [], { hidden: 'drop', ...(main === true && { main }) });
  const holds = main !== true || formats.some((format) => typeof format === 'object' && 'main' in format);
  if (!holds)
    throw new ToolError('main needs a format that it holds for.', 'Add one: "formats": ["markdown"].');
  return { ...others, formats };
}

/** Arguments to get the rest of a cut answer. */
export const PART: Readonly<Record<string, Schema>> = {
  path: { type: 'string' },
  from: { type: 'integer', minimum: 0 },
};

/** Arguments of the calls for the parts cut off. */
const NEXT: Schema = { type: 'array' };

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
