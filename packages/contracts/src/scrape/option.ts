import type { Static, TOptional, TSchema } from 'typebox';
import { Type } from '../type.ts';

/** Engine that fetches a page: a plain HTTP client, or a browser. */
export type Engine = 'http' | 'browser';

/** Engines required by an option; `both`: a plain fetch first, possibly followed by a browser. */
type Need = Engine | 'both';

/** Form of the value of a flag. The command line reads it, and the console writes it. */
export type FlagKind =
  | 'switch'
  | 'text'
  | 'count'
  | 'textOrCount'
  | 'choice'
  | 'headers'
  | 'jsonFile'
  | 'cookies'
  | 'captures';

/** Properties of a flag besides its name. */
interface FlagTraits {
  readonly help: string;
  /** Form of the value, where the schema does not tell it. */
  readonly kind?: FlagKind;
  /** Heading of the help. Default Fetching. */
  readonly group?: FlagGroup;
  /** Value that a switch sets. Default true. */
  readonly sets?: string;
  /** Field set by the flag, for an option with an object as value. */
  readonly field?: string;
  /** Flag that cannot be given as well, in camel case without its dashes. */
  readonly conflicts?: string;
}

type FlagGroup = 'Data' | 'Request' | 'Fetching';

/** A flag of the command line with the option that it sets. */
export interface PageFlag extends FlagTraits {
  readonly option: string;
  readonly name: string;
  readonly kind: FlagKind;
  readonly group: FlagGroup;
  /** Placeholder of the value in the help; a switch has none. */
  readonly value?: string;
  /** Values that it takes, if they are listed. */
  readonly choices?: readonly string[];
}

/** Properties of an option besides its schema. */
interface Traits<Value> {
  /** Value that asks for nothing, as undefined and false do. */
  readonly off?: Value;
  /** Engines that the option needs when it is on, or a function of its value. */
  readonly needs?: Need | ((value: Value) => Need | undefined);
  /** The page may come to a browser, unless other options need a plain fetch. */
  readonly mayRender?: true;
  /** True for options about reading a page; a file stored as sent cannot have them. */
  readonly reads?: true;
  /** True for options about a single request, which recipes do not have. */
  readonly isOfRequest?: true;
  /**
   * Meaning of the option for pages that are kept for `maxAge`: `anyPage` where the page is the same for every value, and
   * `noPage` where it is fetched each time. By default the option shapes the page, and only an equal value finds it.
   */
  readonly reuse?: 'anyPage' | 'noPage';
  /** Options that cannot be on as well, with the message of their error. */
  readonly excludes?: Readonly<Record<string, string>>;
  /** Additional credits for a page, with the text in the table of prices. */
  readonly price?: { readonly credits: number; readonly text: string };
  /** Flags of the command line with their help, such as `--proxy <country>`; none where they have a syntax of their own. */
  readonly flags?: Readonly<Record<`--${string}`, string | FlagTraits>>;
}

/** An option of a page. */
export interface OptionRow extends Traits<unknown> {
  readonly schema: TOptional<TSchema>;
}

/** Makes the row of an option. */
export function option<Schema extends TSchema, const Row extends Traits<Static<Schema>>>(
  row: { readonly schema: Schema } & Row,
): Omit<Row, 'schema'> & { readonly schema: TOptional<Schema> } {
  return { ...row, schema: Type.Optional(row.schema) as TOptional<Schema> };
}

/** Returns true if a value of an option asks for something. */
export function isOn({ off }: OptionRow, value: unknown): boolean {
  return value !== undefined && value !== false && value !== off;
}

/** Returns the engines that an option with a value needs. */
export function needOf(row: OptionRow, value: unknown): Need | undefined {
  if (row.needs === undefined || value === undefined) return undefined;
  if (typeof row.needs === 'function') return row.needs(value);
  return isOn(row, value) ? row.needs : undefined;
}

/** Returns the flags of an option. */
export function flagsOf(option: string, { schema, flags = {} }: OptionRow): PageFlag[] {
  const { type, enum: choices } = schema as { readonly type?: string; readonly enum?: readonly string[] };
  return Object.entries(flags).map(([usage, about]) => {
    const traits: FlagTraits = typeof about === 'string' ? { help: about } : about;
    const [, name = '', value] = /^(\S+)(?: <(.*)>)?$/.exec(usage) ?? [];
    const flag = { option, name, group: 'Fetching', ...traits } as const;
    if (value === undefined) return { ...flag, kind: 'switch' };
    if (choices) return { ...flag, value, kind: 'choice', choices };
    return { ...flag, value, kind: traits.kind ?? (type === 'integer' ? 'count' : 'text') };
  });
}
