import { type Static, Type } from 'typebox';
import { OneOf } from '../schema/map-of.ts';
import type { AppError } from './app-error.ts';
import { ERROR_CODES } from './error-table.ts';

const ErrorDetailSchema = Type.Object(
  {
    path: Type.String({ description: 'Dotted path in the body or query; empty for the whole.' }),
    message: Type.String(),
  },
  { additionalProperties: false },
);

/** The body of every answer that is not a success. */
export const ErrorEnvelopeSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: OneOf(ERROR_CODES),
        message: Type.String({ description: 'What happened, to what.' }),
        suggestion: Type.String({ description: 'What to do next.' }),
        details: Type.Optional(Type.Array(ErrorDetailSchema)),
        source: OneOf(['api', 'target'], { description: 'Whether this service or the target page failed.' }),
        requestId: Type.String(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelopeSchema>;

/** The envelope of an error, as it is answered. */
export function toErrorEnvelope(error: AppError, requestId: string): ErrorEnvelope {
  const { code, message, suggestion, source } = error;
  const details = error.details ? { details: error.details.map((detail) => ({ ...detail })) } : {};
  return { success: false, error: { code, message, suggestion, ...details, source, requestId } };
}
