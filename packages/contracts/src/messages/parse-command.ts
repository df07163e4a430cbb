import type { Static } from 'typebox';
import { EXTRACT_OPTION_PROPERTIES } from '../scrape/extract-request.ts';
import { PdfOptionsSchema } from '../scrape/pdf.ts';
import { Type } from '../type.ts';

const exact = { additionalProperties: false };

/** An uploaded file, compressed. */
const PackedFileSchema = Type.Object(
  {
    name: Type.String(),
    /** As the caller declared it. */
    contentType: Type.Optional(Type.String()),
    bytes: Type.String({ description: 'The content, compressed with brotli, in base64.' }),
  },
  exact,
);

/** Reads a file as if it was fetched. The reply is that of a snapshot. */
export const ParseCommandSchema = Type.Object(
  {
    accountId: Type.String(),
    file: PackedFileSchema,
    request: Type.Object(
      {
        ...EXTRACT_OPTION_PROPERTIES,
        pdf: Type.Optional(PdfOptionsSchema),
      },
      exact,
    ),
  },
  exact,
);
export type ParseCommand = Static<typeof ParseCommandSchema>;
