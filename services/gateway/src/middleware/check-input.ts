import {
  AppError,
  type Check,
  compileSchema,
  type ErrorDetail,
  type RouteDefinition,
} from '@gleaner/contracts';
import { expectSet, type Stage } from '../call.ts';
import { readQuery } from '../query/read-query.ts';

/** Holds query, headers and body against the schemas of the route; throws INVALID_REQUEST with every fault of them. */
export function checkInput({ query, headers, body }: RouteDefinition): Stage {
  const checkQuery: Check<unknown> = query ? compileSchema(query, 'from-text') : refuseParameters;
  const checkHeaders: Check<unknown> | undefined = headers && compileSchema(headers);
  const checkBody: Check<unknown> | undefined = body && compileSchema(body);
  return (request, response, next) => {
    const { call } = response.locals;
    const { values, faults } = readQuery(request.url);
    const ofQuery = checkQuery(values);
    const ofHeaders = checkHeaders?.(request.headers);
    const ofBody = checkBody?.(expectSet(call.body, 'body'));
    const details = [
      ...faults,
      ...(ofQuery.ok ? [] : ofQuery.details),
      ...(ofHeaders?.ok === false ? ofHeaders.details : []),
      ...(ofBody?.ok === false ? ofBody.details : []),
    ];
    if (details.length > 0) throw invalid(details);
    if (ofQuery.ok) call.query = ofQuery.value;
    if (ofHeaders?.ok) call.headers = ofHeaders.value;
    next();
  };
}

/** The check of a route without a query. */
const refuseParameters: Check<unknown> = (values) => {
  const details = Object.keys(values as object).map((path) => ({
    path,
    message: 'is not a known query parameter',
  }));
  return details.length === 0 ? { ok: true, value: undefined } : { ok: false, details };
};

const MAX_NAMED = 3;

function invalid(details: readonly ErrorDetail[]): AppError {
  const named = details.slice(0, MAX_NAMED).map(({ path, message }) => `${path || 'the body'} ${message}`);
  const rest = details.length - named.length;
  const message = `${named.join('; ')}${rest > 0 ? `; and ${rest} more in details` : ''}.`;
  return new AppError('INVALID_REQUEST', { message, details });
}
