import { type Doc, isDocument, isNumeric, isTrue } from '../bson/bson-types.ts';
import { toDouble } from '../bson/numbers.ts';
import { commandError } from '../command-error.ts';
import { type FilterNode, parseFilter } from '../filter/parse-filter.ts';

/** A field of an index and its direction. */
export interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

/** An index as `createIndexes` names it and `listIndexes` returns it, checked. */
export interface IndexSpec {
  readonly name: string;
  readonly key: Doc;
  readonly fields: readonly IndexField[];
  readonly isUnique: boolean;
  readonly isSparse: boolean;
  readonly partialFilterExpression: Doc | undefined;
  readonly expireAfterSeconds: number | undefined;
}

const KNOWN_OPTIONS = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
]);

const LARGEST_TTL_SECONDS = 2147483647;

/** Checks one element of `createIndexes.indexes`. Throws with MongoDB's codes, naming the wrong option. */
export function parseIndexSpec(options: unknown): IndexSpec {
  if (!isDocument(options)) throw commandError('TypeMismatch', 'an index specification must be an object');
  for (const option of Object.keys(options)) {
    if (!KNOWN_OPTIONS.has(option)) {
      throw commandError(
        'InvalidIndexSpecificationOption',
        `The field '${option}' is not valid for an index specification. Specification: ${JSON.stringify(options)}`,
      );
    }
  }
  const { key, name } = options;
  if (!isDocument(key))
    throw commandError('FailedToParse', "The 'key' field is a required property of an index specification");
  if (typeof name !== 'string' || name === '') {
    throw commandError('FailedToParse', "The 'name' field is a required property of an index specification");
  }
  const fields = parseFields(key);
  const isId = fields.length === 1 && fields[0]?.path === '_id';
  return {
    name: isId ? '_id_' : name,
    key,
    fields,
    isUnique: isTrue(options.unique) || isId,
    isSparse: isTrue(options.sparse),
    partialFilterExpression: parsePartialFilter(options, isId),
    expireAfterSeconds: parseTtl(options, fields),
  };
}

/** The document form of a specification, as `listIndexes` shows it and the catalog keeps it. */
export function describeIndex(spec: IndexSpec): Doc {
  return {
    v: 2,
    key: spec.key,
    name: spec.name,
    ...(spec.isUnique && spec.name !== '_id_' && { unique: true }),
    ...(spec.isSparse && { sparse: true }),
    ...(spec.partialFilterExpression && { partialFilterExpression: spec.partialFilterExpression }),
    ...(spec.expireAfterSeconds !== undefined && { expireAfterSeconds: spec.expireAfterSeconds }),
  };
}

function parseFields(key: Doc): IndexField[] {
  const entries = Object.entries(key);
  if (entries.length === 0 || entries.length > 32)
    throw commandError('CannotCreateIndex', `An index key has 1 to 32 fields, not ${entries.length}.`);
  return entries.map(([path, direction]) => parseField(path, direction));
}

function parseField(path: string, direction: unknown): IndexField {
  const parts = path.split('.');
  const number = isNumeric(direction) ? toDouble(direction) : 0;
  if (!(Math.abs(number) > 0) || parts.some((part) => part === '' || part.startsWith('$'))) {
    throw commandError(
      'CannotCreateIndex',
      `Unsupported field of an index key: ${path}: ${String(direction)}`,
    );
  }
  return { path, parts, direction: number > 0 ? 1 : -1 };
}

function parsePartialFilter(options: Doc, isId: boolean): Doc | undefined {
  const filter = options.partialFilterExpression;
  if (filter === undefined) return undefined;
  if (!isDocument(filter))
    throw commandError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
  if (isTrue(options.sparse)) {
    throw commandError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  if (isId) throw commandError('InvalidIndexSpecificationOption', '_id index cannot be a partial index');
  checkPartial(parseFilter(filter));
  return filter;
}

/** Throws for a filter other than a conjunction of `$eq` and `$exists`, by which the planner can tell what an index lacks. */
function checkPartial(node: FilterNode): void {
  if (node.kind === 'and') {
    for (const each of node.nodes) checkPartial(each);
    return;
  }
  if (node.kind === 'field' && ['$eq', '$exists'].includes(node.operator)) return;
  const what = node.kind === 'field' ? `${node.path} ${node.operator}` : `$${node.kind}`;
  throw commandError('CannotCreateIndex', `Expression not supported in partial index: ${what}`);
}

function parseTtl(options: Doc, fields: readonly IndexField[]): number | undefined {
  const { expireAfterSeconds } = options;
  if (expireAfterSeconds === undefined) return undefined;
  const seconds = isNumeric(expireAfterSeconds) ? toDouble(expireAfterSeconds) : Number.NaN;
  const isServed = fields.length === 1 && fields[0]?.path !== '_id';
  if (!isServed || !(seconds >= 0 && seconds <= LARGEST_TTL_SECONDS)) {
    throw commandError(
      'CannotCreateIndex',
      `TTL indexes have one field, which is not _id, and 'expireAfterSeconds' from 0 to ${LARGEST_TTL_SECONDS}`,
    );
  }
  return Math.trunc(seconds);
}
