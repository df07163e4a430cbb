import type { Static, TSchema } from 'typebox';
import { Type } from '../type.ts';

/** An option, a format, an action or an endpoint of Firecrawl's API, and what becomes of it here. */
export interface FirecrawlOption<Schema extends TSchema = TSchema> {
  readonly schema: Schema;
  /** `ignored` ones change nothing, and a warning says so; `refused` ones have no equal. */
  readonly fate: 'translated' | 'ignored' | 'refused';
  /** The translation, the reason it changes nothing, or the alternative: in Markdown, for the documentation. */
  readonly note: string;
  /** Values that ask for nothing: they are neither refused nor warned about. */
  readonly silent: readonly unknown[];
}

/** Options by name. */
export type FirecrawlOptions = Readonly<Record<string, FirecrawlOption>>;

/** Values of options; all may be left out. */
export type FirecrawlValues<Options extends FirecrawlOptions> = {
  readonly [Name in keyof Options]?: Static<Options[Name]['schema']>;
};

/** Describes an option that has an equal here. */
export function translated<Schema extends TSchema>(schema: Schema, note: string): FirecrawlOption<Schema> {
  return { schema, fate: 'translated', note, silent: [] };
}

/** Describes an option that changes nothing here, except where a value asks for nothing. */
export function ignored<Schema extends TSchema>(
  schema: Schema,
  note: string,
  silent: readonly unknown[] = [],
): FirecrawlOption<Schema> {
  return { schema, fate: 'ignored', note, silent };
}

/** Describes an option that has no equal here. */
export function refused(note: string): FirecrawlOption {
  return { schema: Type.Unknown(), fate: 'refused', note, silent: [false, ''] };
}

/** Returns the schema of a body with these options, of which some are required. */
export function firecrawlBody(options: FirecrawlOptions, required: readonly string[] = []): TSchema {
  const properties = Object.entries(options).map(([name, { schema }]) => [name, schema]);
  return Type.Unsafe({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  });
}
