import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Most tokens that a page is charged for: two calls with the longest page, schema, prompt and answer. */
export const MAX_MODEL_TOKENS = 110_000;

/** The option `extract`. */
export const ModelExtractSchema = Type.Object(
  {
    schema: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: `JSON schema of an object, in a subset: \`properties\`, \`items\`, the types object, array, string, number, integer and boolean, alone or with null, \`enum\`, \`description\`, and for strings the formats uri, date and date-time. At most ${LIMITS.maxExtractFields} fields, ${LIMITS.maxExtractDepth} levels and ${LIMITS.maxExtractSchemaLength / 1024} KiB. Other keywords are refused by their path.`,
    }),
    prompt: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.maxExtractPromptLength,
        description: 'What the model is told besides the schema.',
      }),
    ),
    evidence: Type.Optional(
      OneOf(['required', 'report'], {
        description:
          'With `required`, a value that does not stand on the page is null, with the warning VALUE_NOT_ON_PAGE. With `report` it stays, and `metadata.llm.evidence` says `missing`. Default required.',
      }),
    ),
    maxCredits: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `The most that the model may cost for a page. Default the operator's price of ${MAX_MODEL_TOKENS} tokens, which is held before.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Fields that a language model finds, added to `data`; those of `selectors` win. Each value comes with a quote of the page that is checked against its text. Needs the LLM_URL of the operator, otherwise NOT_CONFIGURED. Costs what its tokens cost, in addition to the page.',
    'x-expected':
      'an object such as {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}',
    examples: [
      {
        schema: { type: 'object', properties: { title: { type: 'string' }, price: { type: 'number' } } },
      },
    ],
  },
);
export type ModelExtract = Static<typeof ModelExtractSchema>;

/** Work of a model on a page. */
export const LlmUseSchema = Type.Object(
  {
    model: Type.String({ description: 'Name of the model.' }),
    tokensIn: Type.Integer({ minimum: 0, description: 'Tokens that the model has read; 0 if cached.' }),
    tokensOut: Type.Integer({ minimum: 0, description: 'Tokens that the model has written; 0 if cached.' }),
    cached: Type.Boolean({
      description: 'True if the answer to the same page, schema and prompt was used again, which is free.',
    }),
    evidence: MapOf(
      Type.Object(
        {
          quote: Type.Unsafe<string | null>({
            anyOf: [{ type: 'string' }, { type: 'null' }],
            description: 'The part of the page that shows the value; null without one.',
          }),
          status: OneOf(['verbatim', 'converted', 'missing'], {
            description:
              'Whether the value is a part of the quote, is what a conversion makes of it, or does not stand on the page.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'Evidence of each value by its path in `data`, such as `books.0.title`.' },
    ),
  },
  { additionalProperties: false, description: 'The model that has found the fields of `extract`.' },
);
export type LlmUse = Static<typeof LlmUseSchema>;
