import type { ScrapeRequest, ScrapeResponse, Selector } from './generated/openapi.ts';
import type { CallOptions } from './operation-types.ts';

/** Selectors by the name of the field that they fill. */
export type Selectors = { readonly [field: string]: Selector };

/** Data of a page whose selectors are not known to the compiler. */
export type AnyData = { readonly [field: string]: unknown };

/**
 * The data that selectors give, read off their text: `h1` is a text or null, `.tag::all` a list of texts, an object what
 * its `type`, `fields`, `all`, `default` and `required` say.
 */
export type DataOf<Given> = Given extends Selectors
  ? { -readonly [Field in keyof Given]: ValueOf<Given[Field]> }
  : AnyData;

type ValueOf<Given> = Given extends string ? TextOf<Given> : OptionValueOf<Given>;

type TextOf<Text extends string> = string extends Text
  ? string | string[] | null
  : Text extends `${string}::all`
    ? string[]
    : string | null;

type OptionValueOf<Given> = IsList<Given> extends true ? ListOf<Given> : SingleOf<Given>;

type IsList<Given> = Given extends { all: true }
  ? true
  : Given extends { selector: `${string}::all` }
    ? true
    : false;

type SingleOf<Given> = Given extends { type: 'boolean' | 'count' } | { required: true }
  ? ElementOf<Given>
  : Given extends { default: infer Default }
    ? ElementOf<Given> | Widened<Default>
    : ElementOf<Given> | null;

/** Type of a list: a text that does not convert stays in its place, as null or as the default. */
type ListOf<Given> = Given extends { fields: unknown } | { required: true }
  ? ElementOf<Given>[]
  : Given extends { type: unknown } | { pattern: unknown } | { json: unknown }
    ? (ElementOf<Given> | (Given extends { default: infer Default } ? Widened<Default> : null))[]
    : ElementOf<Given>[];

type ElementOf<Given> = Given extends { fields: infer Fields }
  ? DataOf<Fields>
  : Given extends { type: infer Type }
    ? Type extends keyof TypedValues
      ? TypedValues[Type]
      : unknown
    : Given extends { json: unknown }
      ? unknown
      : string;

/** Values by the `type` of a field. */
interface TypedValues {
  string: string;
  number: number;
  integer: number;
  price: Price;
  boolean: boolean;
  date: string;
  datetime: string;
  url: string;
  json: unknown;
  table: { [column: string]: string | null }[];
  rows: (string | null)[][];
  markdown: string;
  count: number;
}

/** A price: `currency` is a code of ISO 4217, or null where the page leaves it open. */
export interface Price {
  amount: number;
  currency: string | null;
}

type Widened<Default> = Default extends string
  ? string
  : Default extends number
    ? number
    : Default extends boolean
      ? boolean
      : Default;

/** Data of a page without `selectors` and `formats`. */
export interface PageOverview {
  title: string | null;
  description: string | null;
  text: string;
  links: string[];
}

/** Name of a representation of the whole page. */
export type FormatName = keyof NonNullable<ScrapeResponse['formats']>;

/** A requested format: its name, or an object with the part of the page to read. */
export type Format = NonNullable<ScrapeRequest['formats']>[number];

/** A step in a rendered page, such as `{click: '.more'}`. */
export type Action = NonNullable<ScrapeRequest['actions']>[number];

/** The requested formats. */
export type FormatsOf<Given> = Given extends readonly Format[]
  ? Required<Pick<NonNullable<ScrapeResponse['formats']>, NameOf<Given[number]>>>
  : undefined;

type NameOf<Given extends Format> = Given extends { type: infer Name extends FormatName }
  ? Name
  : Extract<Given, string>;

/** The data of a request: of its selectors, else an overview, unless only formats were requested. */
export type RequestedData<Given, Formats> = Given extends Selectors
  ? DataOf<Given>
  : Formats extends readonly Format[]
    ? undefined
    : PageOverview;

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: { limit: number; offset: number; total: number; hasMore: boolean };
}

/** A list that is read page by page: iterate over it for all entries, or ask for one `page`. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Returns the page that `limit` and `offset` name; without them the first. */
  page(): Promise<Page<Item>>;
}

interface Range {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const PAGE_SIZE = 100;

/** Creates a list of what an operation returns under a name, from a function that reads one page of it. */
export function createListing<Name extends string, Query extends Range, Item extends object>(
  name: Name,
  query: Query,
  options: CallOptions | undefined,
  read: (
    query: Query,
    options: CallOptions | undefined,
  ) => Promise<Pick<Page<Item>, 'pagination'> & { readonly [Key in Name]: readonly Item[] }>,
): Listing<Item> {
  const readPage = async (each: Query): Promise<Page<Item>> => {
    const result = await read(each, options);
    return { items: result[name], pagination: result.pagination };
  };
  return {
    page: () => readPage(query),
    async *[Symbol.asyncIterator]() {
      let offset = query.offset ?? 0;
      let before: ReadonlySet<string> = new Set();
      for (let hasMore = true; hasMore; ) {
        const page = await readPage({ ...query, limit: query.limit ?? PAGE_SIZE, offset });
        // An entry that was added since pushes the end of one page into the next.
        yield* page.items.filter((item) => !before.has(idOf(item) ?? ''));
        before = new Set(page.items.flatMap((item) => idOf(item) ?? []));
        offset += page.items.length;
        hasMore = page.pagination.hasMore && page.items.length > 0;
      }
    },
  };
}

/** Returns the id of an entry, or of its job; undefined of one that no other entry pushes away. */
function idOf(entry: { readonly id?: string; readonly jobId?: string }): string | undefined {
  return entry.id ?? entry.jobId;
}
