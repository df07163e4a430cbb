import {
  AppError,
  type Check,
  compileSchema,
  type ErrorDetail,
  type RouteDefinition,
} from '@gleaner/contracts';
import { expectSet, type Stage } from '../call.ts';
import { summarizeDetails } from '../responses/summarize-details.ts';

/** Finds errors in the values of a malformed body, so that one response lists them all. */
export type FindValueErrors = (body: unknown) => Promise<ErrorDetail[]>;

/**
 * Checks query, headers and body against the schemas of the route. Throws INVALID_REQUEST with every error, those of
 * values that no schema can check included.
 */
export function checkInput(
  { query, headers, body }: Pick<RouteDefinition, 'query' | 'headers' | 'body'>,
  findValueErrors: FindValueErrors = async () => [],
): Stage {
  const checkQuery: Check<unknown> = query ? compileSchema(query, 'from-text') : rejectParameters;
  const checkHeaders: Check<unknown> | undefined = headers && compileSchema(headers);
  const checkBody: Check<unknown> | undefined = body && compileSchema(body);
  return async (request, response, next) => {
    const { call } = response.locals;
    const { values, errors } = readQuery(request.url);
    const queryResult = checkQuery(values);
    const headersResult = checkHeaders?.(request.headers);
    const bodyResult = checkBody?.(expectSet(call.body, 'body'));
    const details = [
      ...errors,
      ...(queryResult.ok ? [] : queryResult.details),
      ...(headersResult?.ok === false ? headersResult.details : []),
      ...(bodyResult?.ok === false ? bodyResult.details : []),
      ...(bodyResult?.ok === false ? await findValueErrors(call.body) : []),
    ];
    if (details.length > 0) throw invalid(details);
    if (queryResult.ok) call.query = queryResult.value;
    if (headersResult?.ok) call.headers = headersResult.value;
    next();
  };
}

interface QueryReading {
  readonly values: Record<string, string>;
  readonly errors: readonly ErrorDetail[];
}

/** Reads the query of a request target (URL Standard, application/x-www-form-urlencoded); a repeated name is an error. */
function readQuery(target: string): QueryReading {
  const start = target.indexOf('?');
  if (start === -1) return { values: {}, errors: [] };
  const pairs = [...new URLSearchParams(target.slice(start))];
  const values = Object.fromEntries(pairs);
  const isRepeated = pairs.length > Object.keys(values).length;
  return { values, errors: isRepeated ? findRepeats(pairs) : [] };
}

function findRepeats(pairs: readonly [name: string, value: string][]): ErrorDetail[] {
  const groups = Map.groupBy(pairs, ([name]) => name);
  const repeated = [...groups].filter(([, group]) => group.length > 1);
  return repeated.map(([path]) => ({ path, message: 'must not be given more than once' }));
}

/** Checks the query of a route that takes none. */
const rejectParameters: Check<unknown> = (values) => {
  const details = Object.keys(values as object).map((path) => ({
    path,
    message: 'is not a known query parameter',
  }));
  return details.length === 0 ? { ok: true, value: undefined } : { ok: false, details };
};

function invalid(details: readonly ErrorDetail[]): AppError {
  return new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
}
