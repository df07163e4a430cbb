import type { Static } from 'typebox';
import { OneOf, Timestamp } from '../map-of.ts';
import { ExpectedSchema } from '../recipes/recipe-test.ts';
import { EXTRACT_OPTION_PROPERTIES } from '../scrape/extract-request.ts';
import { LocaleSchema } from '../scrape/formats.ts';
import { ModelExtractSchema } from '../scrape/model-extract.ts';
import { SelectorMapSchema } from '../scrape/selectors.ts';
import { PickedSchema, SnapshotExtractSchema } from '../snapshot.ts';
import { Type } from '../type.ts';

/** A page as it was read, compressed. */
export const PackedPageSchema = Type.Object(
  {
    kind: OneOf(['html', 'xml', 'text', 'json']),
    baseUrl: Type.String({ description: 'URL of the page, after redirects.' }),
    encoding: Type.Optional(
      Type.String({
        description: 'Encoding in which the page was sent, which its links keep; UTF-8 by default.',
      }),
    ),
    source: Type.String({ description: 'The text in UTF-8, compressed with brotli, in base64.' }),
  },
  { additionalProperties: false },
);
export type PackedPage = Static<typeof PackedPageSchema>;

/** A page that is kept for `maxAge`, under the key of equal requests of its account. */
export const ReusablePageSchema = Type.Object(
  {
    key: Type.String(),
    ...PackedPageSchema.properties,
    /** Attribute of the elements that the browser did not show. */
    hiddenMark: Type.Optional(
      Type.Object({ name: Type.String(), value: Type.String() }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);
export type ReusablePage = Static<typeof ReusablePageSchema>;

/** The snapshot of a page of a job, or a page that is kept for `maxAge`, with how it was read. */
export const KeptPageSchema = Type.Object(
  {
    ...PackedPageSchema.properties,
    hiddenMark: ReusablePageSchema.properties.hiddenMark,
    statusCode: Type.Integer(),
    engine: OneOf(['http', 'browser']),
    readAt: Timestamp(),
    /** Milliseconds since it was fetched; only of a page that is reused, and fetched where that fails. */
    age: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
);
export type KeptPage = Static<typeof KeptPageSchema>;

const MAX_SCRIPT_CHARACTERS = 64 * 1024;

const exact = { additionalProperties: false };

/** Works on a snapshot, whose page comes with the command: scrapers have no database. */
export const SnapshotCommandSchema = Type.Object(
  {
    accountId: Type.String(),
    page: PackedPageSchema,
    task: Type.Union([
      Type.Object(
        {
          type: Type.Literal('view'),
          script: Type.Optional(
            Type.String({
              maxLength: MAX_SCRIPT_CHARACTERS,
              description: 'The one script that the view runs.',
            }),
          ),
        },
        exact,
      ),
      Type.Object({ type: Type.Literal('extract'), request: SnapshotExtractSchema }, exact),
      /** Reads a page that the caller sent. */
      Type.Object(
        {
          type: Type.Literal('read'),
          requestId: Type.String(),
          url: Type.Optional(Type.String()),
          request: Type.Object(EXTRACT_OPTION_PROPERTIES, exact),
        },
        exact,
      ),
      /** Compares a page with the values that a recipe must find on it. */
      Type.Object(
        {
          type: Type.Literal('test'),
          engine: OneOf(['http', 'browser']),
          request: Type.Object(EXTRACT_OPTION_PROPERTIES, exact),
          expected: ExpectedSchema,
        },
        exact,
      ),
      Type.Object(
        {
          type: Type.Literal('suggest'),
          request: PickedSchema,
          others: Type.Array(PackedPageSchema),
        },
        exact,
      ),
      /** Has a model find the values of a schema, and finds selectors for them. */
      Type.Object(
        {
          type: Type.Literal('solve'),
          extract: ModelExtractSchema,
          locale: Type.Optional(LocaleSchema),
          /** Milliseconds since 1970. */
          deadlineMs: Type.Integer(),
          others: Type.Array(PackedPageSchema),
        },
        exact,
      ),
      Type.Object(
        {
          type: Type.Literal('repair'),
          selectors: SelectorMapSchema,
          locale: Type.Optional(Type.String()),
          /** Names of each field from the top. */
          paths: Type.Array(Type.Array(Type.String())),
          /** The page as it is now; `page` is as it was. */
          now: PackedPageSchema,
          /** Other pages at both times. */
          others: Type.Array(Type.Object({ page: PackedPageSchema, now: PackedPageSchema }, exact)),
        },
        exact,
      ),
    ]),
  },
  exact,
);
export type SnapshotCommand = Static<typeof SnapshotCommandSchema>;

/** Result of the command: a page, or the body of the response. */
export const SnapshotReplySchema = Type.Object(
  {
    content: Type.String({ description: 'HTML or JSON in UTF-8, compressed with brotli, in base64.' }),
    /** Price of the model. */
    credits: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  exact,
);
