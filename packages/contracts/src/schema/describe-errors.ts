import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from '../errors/app-error.ts';
import { nearestName } from './nearest-name.ts';

/** Most errors that one response lists. */
const MAX_DETAILS = 10_000;

/** Kind of the checked input: a typed value, or texts that were parsed (a query string). */
type InputKind = 'value' | 'texts';

/** Describes the errors that ajv found (with `verbose`) in plain words, without duplicates. */
export function describeErrors(errors: readonly ErrorObject[], source: InputKind = 'value'): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of dropRedundantBranches(dropAlternatives(errors))) {
    const detail = describe(error, source);
    const key = `${detail.path}\n${detail.message}`;
    if (details.size < MAX_DETAILS) details.set(key, detail);
  }
  return [...details.values()];
}

/** Drops the errors within a failed `oneOf`, which is described as a whole. */
function dropAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'oneOf');
  return errors.filter((error) => !unions.some((union) => isBranchOf(error, union)));
}

/** Keeps one side of a failed `anyOf`: the errors of the branch that has the type of the value, else the `anyOf` itself. */
function dropRedundantBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const redundant = new Set<ErrorObject>();
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    const branches = errors.filter((error) => isBranchOf(error, union));
    const wrongTypes = branches.filter(
      (error) => error.keyword === 'type' && error.instancePath === union.instancePath,
    );
    const isAlmostRight = wrongTypes.length < branches.length;
    for (const error of isAlmostRight ? [union, ...wrongTypes] : branches) redundant.add(error);
  }
  return errors.filter((error) => !redundant.has(error));
}

function isBranchOf(error: ErrorObject, union: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${union.schemaPath}/`) && isWithin(error.instancePath, union.instancePath)
  );
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function describe(error: ErrorObject, source: InputKind): ErrorDetail {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') {
    return { path: [...path, error.params.missingProperty].join('.'), message: 'is required' };
  }
  if (error.keyword === 'oneOf' || error.keyword === 'not') {
    const [first = '', ...others] = alternativesOf(error);
    const isNoneGiven = error.keyword === 'oneOf' && error.params.passingSchemas === null;
    return isNoneGiven
      ? { path: [...path, first].join('.'), message: `is required, or ${others.join(' or ')} in its place` }
      : { path: [...path, ...others].join('.'), message: `must be left out when ${first} is given` };
  }
  if (error.keyword === 'additionalProperties') {
    const name: string = error.params.additionalProperty;
    return { path: [...path, name].join('.'), message: unknownField(name, error.parentSchema) };
  }
  return { path: path.join('.'), message: messageOf(error, source) };
}

/** Returns the names of fields that exclude each other. */
function alternativesOf({ keyword, schema }: ErrorObject): string[] {
  const forms = (keyword === 'oneOf' ? schema : [schema]) as { required: string[] }[];
  return forms.flatMap(({ required }) => required);
}

function unknownField(name: string, schema: ErrorObject['parentSchema']): string {
  const known: string[] = Object.keys(schema?.properties ?? {});
  if (known.length === 0) return 'is not a known field';
  const meant = nearestName(name, known);
  const question = meant === undefined ? '.' : `; did you mean "${meant}"?`;
  return `is not a known field${question} Known: ${known.join(', ')}`;
}

function messageOf(error: ErrorObject, source: InputKind): string {
  const expected: unknown = error.parentSchema?.['x-expected'];
  if (typeof expected === 'string') return `must be ${expected}`;
  const words = MESSAGES[error.keyword];
  return words ? words(error, source) : (error.message ?? 'is not valid');
}

const MESSAGES: Record<string, (error: ErrorObject, source: InputKind) => string> = {
  type: ({ params, data }, source) =>
    `must be ${withArticle(String(params.type))}, not ${typeof data === 'number' ? data : nameOf(data, source)}`,
  enum: ({ params, data }) => {
    const meant = typeof data === 'string' ? nearestName(data, params.allowedValues.map(String)) : undefined;
    const question = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `must be one of: ${params.allowedValues.join(', ')}${question}`;
  },
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minLength: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minItems: ({ params }) => `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`,
  maxItems: ({ params }) => `must have at most ${params.limit} entries`,
  maxProperties: ({ params }) => `must have at most ${params.limit} fields`,
  uniqueItems: () => 'must not hold the same entry twice',
  format: ({ params }) =>
    params.format === 'date'
      ? 'must be a day of the calendar such as 2026-01-31'
      : 'must be a timestamp of a day and time that exist, such as 2026-01-31T12:00:00Z',
};

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Most characters of a text that are quoted. */
const MAX_QUOTED = 20;

/** Names a value by its type; the text of a query, which is always a string, by its content. */
function nameOf(value: unknown, source: InputKind): string {
  if (source === 'value' || typeof value !== 'string') return typeName(value);
  return JSON.stringify(value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : withArticle(typeof value);
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
