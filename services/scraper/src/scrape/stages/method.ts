import { AppError, encodeBody, type Method, methodOf } from '@gleaner/contracts';
import type { PlainPage } from '../page.ts';

/** Sends the method and the body of the request. Throws INVALID_REQUEST for a method that the operator does not allow. */
export function sendMethod({ request, deps, outgoing }: PlainPage): void {
  const method = methodOf(request);
  if (!deps.methods.includes(method)) throw notAllowed(method);
  outgoing.method = method;
  const body = encodeBody(request);
  if (!body) return;
  outgoing.body = Buffer.from(body.text);
  outgoing.headers['Content-Type'] = body.contentType;
}

function notAllowed(method: Method): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `The operator of this service does not allow the method ${method}.`,
    details: [{ path: 'method', message: 'is not allowed by the operator of this service' }],
  });
}
