import type { Static } from 'typebox';
import { Type } from './type.ts';

/** Traits of a file that a site sent. */
export const FileTraitsSchema = Type.Object(
  {
    name: Type.String({
      description:
        'Name that the site gave it, or the end of its URL, without folders and what is not safe in a name.',
      examples: ['prices.csv'],
    }),
    contentType: Type.String({
      description: 'As the site sent it; `application/octet-stream` without one.',
      examples: ['text/csv; charset=utf-8'],
    }),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
    sha256: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal.' }),
  },
  { additionalProperties: false },
);
export type FileTraits = Static<typeof FileTraitsSchema>;

/** A file that `download` kept, as results name it. */
export const StoredFileSchema = Type.Object(
  {
    id: Type.String({
      description: 'For `GET /v1/files/{id}`.',
      examples: ['fil_01jd8x0000000000000000000'],
    }),
    ...FileTraitsSchema.properties,
  },
  { additionalProperties: false },
);
export type StoredFile = Static<typeof StoredFileSchema>;
