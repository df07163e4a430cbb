import type { Static } from 'typebox';
import { defined } from '../defined.ts';
import { OneOf } from '../map-of.ts';
import { StepScreenshotsSchema } from '../scrape/actions.ts';
import { AttemptSchema, shownAttempts, stepScreenshotsIn } from '../scrape/attempt.ts';
import { Type } from '../type.ts';
import type { AppError, ErrorDetail } from './app-error.ts';
import { ERROR_CODES } from './error-table.ts';
import { FailedVerdict } from './failure.ts';

/** Most errors that one response lists. */
const MAX_DETAILS = 100;
/** Errors after which a check may stop counting. */
const MAX_COUNTED = 1000;

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
        details: Type.Optional(
          Type.Array(ErrorDetailSchema, {
            description: `The first ${MAX_DETAILS} errors; where there are more, a last entry has their number.`,
          }),
        ),
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
        verdict: FailedVerdict,
        stepScreenshots: Type.Optional(StepScreenshotsSchema),
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
  const { code, message, suggestion, source, targetStatusCode, attempts, verdict } = error;
  const details = error.details ? { details: limited(error.details) } : {};
  const target = {
    ...defined({ targetStatusCode }),
    ...(attempts && { attempts: shownAttempts(attempts), ...stepScreenshotsIn(attempts) }),
    ...defined({ verdict }),
  };
  return { success: false, error: { code, message, suggestion, ...details, source, ...target, requestId } };
}

function limited(details: readonly ErrorDetail[]): ErrorDetail[] {
  const first = details.slice(0, MAX_DETAILS).map((detail) => ({ ...detail }));
  const rest = details.length - first.length;
  if (rest === 0) return first;
  const count = `${details.length < MAX_COUNTED ? '' : 'at least '}${rest} more ${rest === 1 ? 'error' : 'errors'}`;
  return [...first, { path: '', message: `has ${count}` }];
}
