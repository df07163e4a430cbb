/** One field of the data, as it is typed. */
export interface FieldDraft {
  /** Tells rows apart while they are edited. */
  readonly key: number;
  readonly name: string;
  /** A selector, or the JSON of an object with options. */
  readonly selector: string;
}

/** Fields to extract and options of the fetch, as they are typed. */
export interface PageDraft {
  readonly fields: readonly FieldDraft[];
  /** Everything but URLs and selectors, by the names of the API. */
  readonly options: Readonly<Record<string, unknown>>;
}

export const EMPTY_DRAFT: PageDraft = { fields: [], options: {} };

let lastKey = 0;

/** Returns an empty row, or one with a name and a selector. */
export function newField(name = '', selector: unknown = ''): FieldDraft {
  lastKey += 1;
  return { key: lastKey, name, selector: typeof selector === 'string' ? selector : JSON.stringify(selector) };
}

/** Returns the draft of a request. */
export function draftOf(request: Readonly<Record<string, unknown>>): PageDraft {
  const { url, urls, selectors, ...options } = request;
  const entries = Object.entries((selectors ?? {}) as Record<string, unknown>);
  return { fields: entries.map(([name, selector]) => newField(name, selector)), options };
}

/** Returns the part of a request that a draft stands for. Empty rows and options are left out. */
export function requestOf({ fields, options }: PageDraft): Record<string, unknown> {
  const named = fields.filter(({ name, selector }) => name.trim() || selector.trim());
  const set = Object.entries(options)
    .map(([name, value]): [string, unknown] => [
      name,
      isTexts(value) ? value.filter((text) => text.trim()) : value,
    ])
    .filter(([, value]) => isSet(value));
  return {
    ...(named.length > 0 && {
      selectors: Object.fromEntries(named.map(({ name, selector }) => [name.trim(), readSelector(selector)])),
    }),
    ...Object.fromEntries(set),
  };
}

/** Lines that are empty while others are typed do not count. */
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === '' || value === false) return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** Reads an object of options; what is not valid JSON stays text, and the service says what is wrong with it. */
function readSelector(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}
