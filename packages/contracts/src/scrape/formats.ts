import type { Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Nullable, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Names of the representations of a whole page that a request can ask for. */
export const FORMAT_NAMES = [
  'markdown',
  'article',
  'metadata',
  'links',
  'images',
  'tables',
  'text',
  'html',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Formats that can be read from a part of the page. */
export const PART_FORMAT_NAMES = ['markdown', 'links', 'images', 'text', 'html'] as const;

/** Formats of words, which can be read without hidden text. */
export const WORD_FORMAT_NAMES: readonly FormatName[] = ['markdown', 'article', 'text'];

/** Treatments of the text that no reader of a page sees. */
export const HIDDEN_TEXT = ['keep', 'drop', 'mark'] as const;
export type HiddenTextChoice = (typeof HIDDEN_TEXT)[number];

const HiddenTextSchema = Type.Optional(
  OneOf(HIDDEN_TEXT, {
    description:
      'What becomes of text that no reader of the page sees, in the formats markdown, article and text: `keep` it, `drop` it, or `mark` it with ⟦hidden⟧ and ⟦/hidden⟧. `drop` and `mark` leave out invisible characters, too. In any case the warning HIDDEN_TEXT counts it. Default keep.',
  }),
);

const css = (example: string, description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LIMITS.maxPartSelectorLength,
      description,
      examples: [example],
      'x-expected': `a CSS selector list such as "${example}", of at most ${LIMITS.maxPartSelectorLength} characters`,
    }),
  );

/** A format with the part of the page that it is read from. */
const PartFormatSchema = Type.Object(
  {
    type: OneOf(PART_FORMAT_NAMES, {
      description: 'Name of the format.',
      'x-expected': `one of ${PART_FORMAT_NAMES.join(', ')}, which take options; any other format is written as its name alone, such as "tables"`,
    }),
    main: Type.Optional(
      Type.Boolean({
        description:
          'Leave out what surrounds the main content: elements and roles of the header and the footer of the page, navigation, search, asides and dialogs. What holds `main` stays. A page of which nothing would be left is whole, with the warning MAIN_NOT_FOUND. Default false.',
      }),
    ),
    include: css(
      'main, .post',
      'CSS selector list of the elements to keep, with all that is in them; `main` leaves none of them out.',
    ),
    exclude: css('.ads, .share', 'CSS selector list of elements to leave out, whatever else says.'),
    hidden: HiddenTextSchema,
  },
  { additionalProperties: false },
);

/** The article with its options: it has no parts around it. */
const ArticleFormatSchema = Type.Object(
  { type: Type.Literal('article'), hidden: HiddenTextSchema },
  { additionalProperties: false },
);

/** A format that a request asks for. */
export type Format = FormatName | Static<typeof PartFormatSchema> | Static<typeof ArticleFormatSchema>;

const FormatSchema = Type.Unsafe<Format>({
  anyOf: [OneOf(FORMAT_NAMES), PartFormatSchema, ArticleFormatSchema],
  'x-expected': 'the name of a format such as "markdown", or {"type": "markdown", "main": true}',
});

export const FormatsSchema = Type.Array(FormatSchema, {
  minItems: 1,
  maxItems: FORMAT_NAMES.length,
  description:
    'Representations of the whole page, or of a part of it, returned under `formats`; each once. Without `selectors`, the response has no `data` then.',
  examples: [
    ['markdown', 'metadata'],
    [{ type: 'markdown', main: true }, 'metadata'],
  ],
});

/** Returns the name of a requested format. */
export function formatNameOf(format: Format): FormatName {
  return typeof format === 'string' ? format : format.type;
}

const Text = Nullable(Type.String());
const Pixels = Nullable(Type.Integer());
const Properties = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description,
  });

/** The format `metadata`. */
const MetadataSchema = Type.Object(
  {
    title: Text,
    description: Text,
    language: Text,
    author: Text,
    pages: Type.Optional(Type.Integer({ description: 'Number of pages; only of a PDF.' })),
    robots: Text,
    canonical: Text,
    feeds: Type.Array(
      Type.Object({ url: Type.String(), title: Text, type: Text }, { additionalProperties: false }),
    ),
    icons: Type.Array(
      Type.Object({ url: Type.String(), sizes: Text, type: Text }, { additionalProperties: false }),
    ),
    openGraph: Properties('Values by property, such as `title` and `image`.'),
    twitter: Properties('Values by property, such as `card`.'),
    jsonLd: Type.Array(Type.Unknown(), { description: 'The values of all JSON-LD scripts.' }),
    microdata: Type.Array(
      Type.Object(
        {
          type: Type.Array(Type.String()),
          id: Type.Optional(Type.String()),
          properties: Properties('Lists of texts and items, by property.'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'What the page says of itself. A text is null, and a list empty, where the page names none.',
  },
);

/** The format `article`. */
const ArticleSchema = Type.Object(
  {
    title: Text,
    byline: Text,
    publishedAt: Nullable(
      Type.String({ description: 'Time of publication in ISO 8601 and UTC; midnight for a date.' }),
    ),
    language: Text,
    excerpt: Text,
    markdown: Type.String({ description: 'The text of the article, with its heading.' }),
  },
  { additionalProperties: false },
);

/** The requested formats of a page, by name. */
export const ExtractedFormatsSchema = Type.Object(
  {
    markdown: Type.Optional(
      Type.String({ description: 'The page as CommonMark with tables; links are absolute.' }),
    ),
    article: Type.Optional(
      Type.Unsafe<Static<typeof ArticleSchema> | null>({
        anyOf: [ArticleSchema, { type: 'null' }],
        description:
          'The article of the page without navigation, comments and advertisements; null without one.',
      }),
    ),
    metadata: Type.Optional(MetadataSchema),
    links: Type.Optional(
      Type.Array(
        Type.Object({ url: Type.String(), text: Text, rel: Text }, { additionalProperties: false }),
        { description: 'The links of the page, absolute, each once.' },
      ),
    ),
    images: Type.Optional(
      Type.Array(
        Type.Object(
          { url: Type.String(), alt: Text, width: Pixels, height: Pixels },
          { additionalProperties: false },
        ),
        {
          description:
            'The images of the page, absolute, each once, in order of appearance. The URL is that of the largest file. `alt`, `width` and `height` are null where the page gives none.',
        },
      ),
    ),
    tables: Type.Optional(
      Type.Array(
        Type.Object(
          {
            caption: Text,
            headers: Nullable(Type.Array(Text)),
            rows: Type.Array(Type.Array(Text)),
          },
          { additionalProperties: false },
        ),
        { description: 'The tables of data. `headers` is null for a table without a header.' },
      ),
    ),
    text: Type.Optional(Type.String({ description: 'The readable text, each block on its own line.' })),
    html: Type.Optional(Type.String({ description: 'The document as browsers serialize it.' })),
  },
  { additionalProperties: false, description: 'One entry per format of the request, by its name.' },
);
export type ExtractedFormats = Static<typeof ExtractedFormatsSchema>;

/** Language of a request whose fields name none. */
export const LocaleSchema = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
  description:
    'BCP 47 tag of the language that numbers, prices and dates of the page are written in, for all fields without their own.',
  examples: ['de'],
  'x-expected': 'a language tag such as "de" or "en-US"',
});
