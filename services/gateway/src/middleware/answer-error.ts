import { type AppError, ERROR_TABLE, type ErrorCode, toAppError, toErrorEnvelope } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { NextFunction, Request } from 'express';
import type { Call, Response } from '../call.ts';
import { sendJson } from '../responses/responses.ts';

/** Returns the status and the body of the response to an error. */
export type DescribeError = (
  error: AppError,
  requestId: string,
) => { readonly status: number; readonly body: object };

const asDocumented: DescribeError = (error, requestId) => ({
  status: ERROR_TABLE[error.code].httpStatus,
  body: toErrorEnvelope(error, requestId),
});

/** Answers an error with its status and its body; errors of ours are logged in full, and their causes are never shown. */
export function answerError({ logger }: { logger: Logger }, describe = asDocumented) {
  // Express recognizes an error handler by its four parameters.
  return async (
    thrown: unknown,
    _request: Request,
    response: Response,
    _next: NextFunction,
  ): Promise<void> => {
    const { call } = response.locals;
    const rejection = await rejectionOf(call);
    if (call.signal.aborted) return;
    const error = toAppError(rejection ?? thrown);
    call.errorCode = error.code;
    if (isOurs(error)) logger.error(logFieldsOf(error, call), error.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    setErrorHeaders(response, error);
    const { status, body } = describe(error, call.requestId);
    sendJson(response, status, body);
  };
}

/** Returns the error of the rate limit, if the call was refused: it takes precedence over errors of work that had begun already. */
async function rejectionOf({ admission }: Call): Promise<unknown> {
  return await admission?.then(
    () => undefined,
    (rejection: unknown) => rejection,
  );
}

function isOurs({ code, source }: AppError): boolean {
  return source === 'api' && ERROR_TABLE[code].httpStatus >= 500;
}

function logFieldsOf(error: AppError, { id, requestId, route }: Call) {
  return { requestId, callId: id, route, code: error.code, err: error.cause ?? error };
}

/** Seconds for Retry-After where the error does not say. */
const DEFAULT_RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  RATE_LIMITED: 60,
  SERVICE_UNAVAILABLE: 5,
};

function setErrorHeaders(response: Response, { code, retryAfterSeconds }: AppError): void {
  const seconds = retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[code];
  if (seconds !== undefined) response.setHeader('Retry-After', Math.max(1, Math.ceil(seconds)));
  if (code === 'UNAUTHORIZED') response.setHeader('WWW-Authenticate', 'Bearer');
}
