import { type AppError, ERROR_TABLE, type ErrorCode, toAppError, toErrorEnvelope } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import type { NextFunction, Request } from 'express';
import type { Answer, Call } from '../call.ts';
import { sendJson } from '../send-json.ts';

/** Answers whatever was thrown with the documented envelope; faults of ours are logged whole and shown as nothing. */
export function answerError({ logger }: { logger: Logger }) {
  // Express knows an error handler by its four parameters.
  return async (thrown: unknown, _request: Request, response: Answer, _next: NextFunction): Promise<void> => {
    const { call } = response.locals;
    const refusal = await refusalOf(call);
    if (call.signal.aborted) return;
    const error = toAppError(refusal ?? thrown);
    call.errorCode = error.code;
    if (isOurFault(error)) logger.error(faultOf(error, call), error.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    setErrorHeaders(response, error);
    sendJson(response, ERROR_TABLE[error.code].httpStatus, toErrorEnvelope(error, call.requestId));
  };
}

/** Why the call is not let in, if so: that comes before whatever it ran into meanwhile. */
async function refusalOf({ admission }: Call): Promise<unknown> {
  return await admission?.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
}

function isOurFault({ code, source }: AppError): boolean {
  return source === 'api' && ERROR_TABLE[code].httpStatus >= 500;
}

function faultOf(error: AppError, { id, requestId, route }: Call) {
  return { requestId, callId: id, route, code: error.code, err: error.cause ?? error };
}

/** Seconds after which to come back, where an error that asks for patience does not say. */
const DEFAULT_RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  RATE_LIMITED: 60,
  SERVICE_UNAVAILABLE: 5,
};

function setErrorHeaders(response: Answer, { code, retryAfterSeconds }: AppError): void {
  const seconds = retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[code];
  if (seconds !== undefined) response.setHeader('Retry-After', Math.max(1, Math.ceil(seconds)));
  if (code === 'UNAUTHORIZED') response.setHeader('WWW-Authenticate', 'Bearer');
}
