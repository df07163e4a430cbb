import type { Static } from 'typebox';
import { defined } from '../defined.ts';
import { OneOf } from '../map-of.ts';
import { AttemptSchema, shownAttempts } from '../scrape/attempt.ts';
import { PAGE_KINDS } from '../scrape/verdict.ts';
import { Type } from '../type.ts';
import { AppError } from './app-error.ts';
import { ERROR_CODES } from './error-table.ts';

/** Kind of the page that an error is about. */
export const FailedVerdict = Type.Optional(
  OneOf(PAGE_KINDS, {
    description: 'Kind of the page that was read, if the error is about its content; see `metadata.verdict`.',
  }),
);

/** Wire and storage form of an AppError: everything but its cause. */
export const FailureSchema = Type.Object(
  {
    code: OneOf(ERROR_CODES),
    message: Type.String(),
    suggestion: Type.String(),
    source: OneOf(['api', 'target']),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
    retryAfterSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    targetStatusCode: Type.Optional(
      Type.Integer({ description: 'HTTP status that the target answered with, if it answered.' }),
    ),
    attempts: Type.Optional(
      Type.Array(AttemptSchema, { description: 'Attempts at the target page, oldest first.' }),
    ),
    verdict: FailedVerdict,
  },
  { additionalProperties: false },
);
export type Failure = Static<typeof FailureSchema>;

/** Converts an error to its wire form. */
export function toFailure(error: AppError): Failure {
  const { code, message, suggestion, source, details, retryAfterSeconds, targetStatusCode } = error;
  const { attempts, verdict } = error;
  return {
    code,
    message,
    suggestion,
    source,
    ...(details && { details: details.map((detail) => ({ ...detail })) }),
    ...defined({ retryAfterSeconds, targetStatusCode }),
    ...(attempts && { attempts: shownAttempts(attempts) }),
    ...defined({ verdict }),
  };
}

/** Returns whether an error says that the host gets too many requests at once. */
export function isStrain({ code, source, targetStatusCode }: Failure): boolean {
  if (code === 'RATE_LIMITED' || targetStatusCode === 503) return source === 'target';
  return code === 'TIMEOUT' && source === 'target';
}

/** Restores an error from its wire form. */
export function fromFailure({ code, ...rest }: Failure): AppError {
  return new AppError(code, rest);
}
