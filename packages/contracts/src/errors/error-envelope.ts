import { type Static, Type } from 'typebox';
import { OneOf } from '../map-of.ts';
import { AttemptSchema, shownAttempts } from '../scrape/attempt.ts';
import type { AppError } from './app-error.ts';
import { ERROR_CODES } from './error-table.ts';

const ErrorDetailSchema = Type.Object(
  {
    path: Type.String({ description: 'Dotted path in the body or query; empty for the whole.' }),
    message: Type.String(),
  },
  { additionalProperties: false },
);

/** Body of every error response. */
export const ErrorEnvelopeSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: OneOf(ERROR_CODES),
        message: Type.String({ description: 'The problem, and the field or resource concerned.' }),
        suggestion: Type.String({ description: 'The next step to take.' }),
        details: Type.Optional(Type.Array(ErrorDetailSchema)),
        source: OneOf(['api', 'target'], {
          description: 'Origin of the error: this service, or the target page.',
        }),
        targetStatusCode: Type.Optional(
          Type.Integer({ description: 'HTTP status that the target answered with, if it answered.' }),
        ),
        attempts: Type.Optional(
          Type.Array(AttemptSchema, {
            description: 'Attempts at the target page, oldest first; present when a scrape failed.',
          }),
        ),
        requestId: Type.String(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelopeSchema>;

/** Builds the response body of an error. */
export function toErrorEnvelope(error: AppError, requestId: string): ErrorEnvelope {
  const { code, message, suggestion, source, targetStatusCode, attempts } = error;
  const details = error.details ? { details: error.details.map((detail) => ({ ...detail })) } : {};
  const target = {
    ...(targetStatusCode !== undefined && { targetStatusCode }),
    ...(attempts && { attempts: shownAttempts(attempts) }),
  };
  return { success: false, error: { code, message, suggestion, ...details, source, ...target, requestId } };
}
