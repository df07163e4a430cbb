import type { Static } from 'typebox';
import { FileTraitsSchema } from '../stored-file.ts';
import { Type } from '../type.ts';

/** Bytes of each part of a file but the last. */
export const FILE_PART_BYTES = 1024 * 1024;
/** Most parts of a file: 1 GiB. */
export const MAX_FILE_PARTS = 1024;

const exact = { additionalProperties: false };

/** Stores a file part by part: scrapers have no database. Each step may be repeated. */
export const FileCommandSchema = Type.Object(
  {
    accountId: Type.String(),
    /** Only of pages of jobs. */
    jobId: Type.Optional(Type.String()),
    fileId: Type.String({ pattern: '^fil_[0-9a-z]{26}$' }),
    step: Type.Union([
      Type.Object(
        {
          type: Type.Literal('write'),
          index: Type.Integer({ minimum: 0, maximum: MAX_FILE_PARTS - 1 }),
          /** In base64. */
          content: Type.String(),
        },
        exact,
      ),
      /** All parts were written; the file exists from here on. */
      Type.Object(
        {
          type: Type.Literal('finish'),
          file: FileTraitsSchema,
        },
        exact,
      ),
      Type.Object({ type: Type.Literal('discard') }, exact),
    ]),
  },
  exact,
);
export type FileCommand = Static<typeof FileCommandSchema>;

/** The step was carried out. */
export const FileReplySchema = Type.Object({}, exact);
