import { type Static, Type } from 'typebox';
import { OneOf } from '../schema/map-of.ts';
import { AppError } from './app-error.ts';
import { ERROR_CODES } from './error-table.ts';

/** An AppError as it crosses the broker and rests in the database: everything but its cause. */
export const FailureSchema = Type.Object(
  {
    code: OneOf(ERROR_CODES),
    message: Type.String(),
    suggestion: Type.String(),
    source: OneOf(['api', 'target']),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    targetStatusCode: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);
export type Failure = Static<typeof FailureSchema>;

/** Takes an error apart for the wire. */
export function toFailure(error: AppError): Failure {
  const { code, message, suggestion, source, details, retryAfterSeconds, targetStatusCode } = error;
  return {
    code,
    message,
    suggestion,
    source,
    ...(details && { details: details.map((detail) => ({ ...detail })) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(targetStatusCode !== undefined && { targetStatusCode }),
  };
}

/** Puts an error together again on the other side. */
export function fromFailure({ code, ...rest }: Failure): AppError {
  return new AppError(code, rest);
}
