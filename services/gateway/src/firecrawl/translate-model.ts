import {
  type ErrorDetail,
  FIRECRAWL_MODEL_FORMATS,
  type FirecrawlFormatObject,
  type ScrapeOptions,
  SUMMARY_FIELD,
} from '@gleaner/contracts';

/** Formats of a page in their order, and the options of version 1 for `json`. */
export interface ModelPage {
  readonly formats: readonly FirecrawlFormatObject[];
  readonly jsonOptions: Pick<FirecrawlFormatObject, 'schema' | 'prompt'> | undefined;
  readonly hasModel: boolean;
}

/** Translation of the formats that a model writes. */
export interface ModelTranslation {
  readonly options: Pick<ScrapeOptions, 'extract'>;
  readonly errors: readonly ErrorDetail[];
  readonly warnings: readonly string[];
}

const NO_MODEL = 'The operator has not set up a language model.';
const READ_FIELDS = 'Read fields with `selectors` of `POST /v1/scrape`.';

/** Returns true for a format that a model writes. */
export function isOfModel({ type }: FirecrawlFormatObject): boolean {
  return FIRECRAWL_MODEL_FORMATS.includes(type);
}

/** Translates the formats that a model writes; without a model, `json` changes nothing. */
export function translateModelFormats(
  { formats, jsonOptions = {}, hasModel }: ModelPage,
  at: string,
): ModelTranslation {
  const refuse = (type: string, note: string): ModelTranslation => {
    const index = formats.findIndex((format) => format.type === type);
    const error = { path: `${at}formats.${index}`, message: `is not supported. ${note}` };
    return { options: {}, errors: [error], warnings: [] };
  };
  const json = formats.find(({ type }) => type === 'json');
  const summary = formats.find(({ type }) => type === 'summary');
  if (summary && !hasModel) return refuse('summary', `${NO_MODEL} Use \`markdown\`.`);
  if (summary && json) return refuse('summary', 'Ask for it in a request without `json`.');
  if (summary) return { options: { extract: SUMMARY }, errors: [], warnings: [] };
  if (!json) return { options: {}, errors: [], warnings: [] };
  if (!hasModel)
    return {
      options: {},
      errors: [],
      warnings: [`The format json has no effect: ${NO_MODEL} ${READ_FIELDS}`],
    };
  const { schema, prompt } = { ...jsonOptions, ...json };
  if (!schema && !prompt) return refuse('json', 'It needs a `schema` or a `prompt`.');
  const dropped = { bounds: new Set<string>(), booleans: new Set<string>() };
  const extract = {
    schema: { ...(schema ? answerablePart(schema, dropped) : ANSWERS) },
    ...(prompt ? { prompt } : {}),
  };
  const [bounds, booleans] = [[...dropped.bounds].join(', '), [...dropped.booleans].join(', ')];
  const warnings = [
    ...(bounds === '' ? [] : [`In the schema, ${bounds} has no effect.`]),
    ...(booleans === ''
      ? []
      : [
          `Of the schema, ${booleans} is left out: true and false do not stand on a page. Ask for the words that decide it as a string.`,
        ]),
  ];
  return { options: { extract }, errors: [], warnings };
}

type Schema = Readonly<Record<string, unknown>>;

/** Keywords for bounds of values. SDKs write them for types of Zod and Pydantic; the page alone decides here. */
const BOUNDS: readonly string[] = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** Names of keywords and of fields that are left out of a schema. */
interface Dropped {
  readonly bounds: Set<string>;
  readonly booleans: Set<string>;
}

/** Returns a schema without bounds of values and without booleans, and notes the names of both. */
function answerablePart(schema: Schema, dropped: Dropped): Schema {
  const inner = (value: unknown): unknown => (isSchema(value) ? answerablePart(value, dropped) : value);
  const entries = Object.entries(schema).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (BOUNDS.includes(name)) {
      dropped.bounds.add(name);
      return [];
    }
    if (name === 'items') return [[name, inner(value)]];
    if (name === 'anyOf' && Array.isArray(value)) return [[name, value.map(inner)]];
    if (!['properties', '$defs', 'definitions'].includes(name) || !isSchema(value)) return [[name, value]];
    const kept = Object.entries(value).filter(([key, each]) => {
      const isLeftOut = name === 'properties' && isBoolean(each);
      if (isLeftOut) dropped.booleans.add(key);
      return !isLeftOut;
    });
    return [[name, Object.fromEntries(kept.map(([key, each]) => [key, inner(each)]))]];
  });
  return Object.fromEntries(entries);
}

/** Returns true for the schema of a boolean, alone or with null. */
function isBoolean(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  const { type, anyOf } = schema;
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length === 1 && types[0] === 'boolean') return true;
  const others = Array.isArray(anyOf)
    ? anyOf.filter((each) => !(isSchema(each) && each.type === 'null'))
    : [];
  return others.length === 1 && isBoolean(others[0]);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Schema for a prompt alone: its answers are texts, which can be checked against the page. */
const ANSWERS = {
  type: 'object',
  properties: {
    answers: {
      type: 'array',
      items: { type: 'string' },
      description: 'What is asked for, each as the page writes it',
    },
  },
};

/** A summary has the words of the model: no page shows it. */
const SUMMARY: NonNullable<ScrapeOptions['extract']> = {
  schema: {
    type: 'object',
    properties: {
      [SUMMARY_FIELD]: { type: 'string', description: 'The main content of the page in three sentences' },
    },
  },
  prompt: 'Sum up the page in your own words as the value; the quote is its most telling sentence.',
  evidence: 'report',
};
