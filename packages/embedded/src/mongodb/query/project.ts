import { cloneValue, setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric } from '../bson/bson-types.ts';
import { isTrue } from '../bson/is-true.ts';
import { toDouble } from '../bson/numeric-order.ts';
import { commandError, locationError } from '../errors/command-error.ts';
import { checkExpression, type ExpressionScope, evaluate } from '../expressions/evaluate-expression.ts';
import { compileElementFilter } from '../filter/compile-filter.ts';
import type { ValueTest } from '../filter/predicates.ts';

/** Makes the document that a client gets from the one that is stored. */
export type Projector = (document: Doc) => Doc;

/** Returns the position that `.$` projects: that of the array element by which the query matched. */
export type PositionOf = (document: Doc, arrayPath: string) => number | undefined;

interface ProjectionTree {
  readonly [field: string]: ProjectionTree | Leaf;
}

type Leaf =
  | { readonly kind: 'include' | 'exclude' | 'positional' }
  | { readonly kind: 'slice'; readonly skip: number | undefined; readonly limit: number }
  | { readonly kind: 'elemMatch'; readonly test: ValueTest }
  | { readonly kind: 'expression'; readonly expression: unknown };

/** A projection document as a function; undefined when it keeps documents as they are. */
export function compileProjection(
  projection: Doc,
  scope: ExpressionScope,
  positionOf?: PositionOf,
): Projector | undefined {
  const fields = flatten(projection, '');
  if (fields.length === 0) return undefined;
  const leaves = fields.map(([path, value]) => [path, parseLeaf(path, value, scope)] as const);
  const isInclusion = decideInclusion(leaves);
  const tree = buildTree(leaves, isInclusion);
  const context: Context = { isInclusion, scope, positionOf };
  return (document) => projectDocument(document, tree, document, '', context);
}

/** `{a: {b: 1}}` means `{"a.b": 1}`; a document with operators is an expression. */
function flatten(projection: Doc, prefix: string): (readonly [string, unknown])[] {
  return Object.entries(projection).flatMap(([key, value]) => {
    const isNested =
      isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
    return isNested ? flatten(value, `${prefix}${key}.`) : [[prefix + key, value] as const];
  });
}

interface Context {
  readonly isInclusion: boolean;
  readonly scope: ExpressionScope;
  readonly positionOf: PositionOf | undefined;
}

function parseLeaf(path: string, value: unknown, scope: ExpressionScope): Leaf {
  if (path === '') throw locationError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.split('.').some((part) => part === '')) {
    throw locationError(15998, 'FieldPath field names may not be empty strings.');
  }
  if (path.startsWith('$'))
    throw locationError(16410, `FieldPath field names may not start with '$': ${path}`);
  if (path.endsWith('.$')) return { kind: 'positional' };
  if (isNumeric(value) || typeof value === 'boolean') return { kind: isTrue(value) ? 'include' : 'exclude' };
  if (isDocument(value) && '$slice' in value) return parseSlice(value.$slice) ?? expressionLeaf(value);
  if (isDocument(value) && isDocument(value.$elemMatch)) {
    return { kind: 'elemMatch', test: compileElementFilter(value.$elemMatch, scope) };
  }
  if (isDocument(value) && '$meta' in value)
    throw commandError('NotImplemented', '$meta projections are not served');
  return expressionLeaf(value);
}

function expressionLeaf(expression: unknown): Leaf {
  checkExpression(expression);
  return { kind: 'expression', expression };
}

/** `$slice: n` or `[skip, n]`; an array of other shape is the aggregation operator. */
function parseSlice(operand: unknown): Leaf | undefined {
  if (isNumeric(operand)) return { kind: 'slice', skip: undefined, limit: Math.trunc(toDouble(operand)) };
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumeric)) return undefined;
  const [skip, limit] = operand.map((value) => Math.trunc(toDouble(value))) as [number, number];
  if (limit <= 0) throw locationError(28724, `First argument to $slice must be positive: ${limit}`);
  return { kind: 'slice', skip, limit };
}

/** "A projection cannot contain both include and exclude specifications, with the exception of the _id field." */
function decideInclusion(leaves: readonly (readonly [string, Leaf])[]): boolean {
  const others = leaves.filter(([path]) => path !== '_id');
  const including = others.find(([, { kind }]) => kind === 'include' || kind === 'positional');
  const excluding = others.find(([, { kind }]) => kind === 'exclude');
  if (including !== undefined && excluding !== undefined) {
    const isExclusion = others.indexOf(excluding) < others.indexOf(including);
    throw isExclusion
      ? locationError(31253, `Cannot do inclusion on field ${including[0]} in exclusion projection`)
      : locationError(31254, `Cannot do exclusion on field ${excluding[0]} in inclusion projection`);
  }
  if (including !== undefined) return true;
  if (excluding !== undefined) return false;
  if (others.some(([, { kind }]) => kind === 'expression')) return true;
  if (others.some(([, { kind }]) => kind === 'elemMatch')) return true;
  return leaves.some(([path, { kind }]) => path === '_id' && kind === 'include') && others.length === 0;
}

function buildTree(leaves: readonly (readonly [string, Leaf])[], isInclusion: boolean): ProjectionTree {
  const tree: Record<string, unknown> = Object.create(null);
  for (const [path, leaf] of leaves) {
    const parts = (leaf.kind === 'positional' ? path.slice(0, -2) : path).split('.');
    let node = tree;
    for (const part of parts.slice(0, -1)) {
      node[part] ??= Object.create(null);
      const child = node[part] as Record<string, unknown>;
      if (isLeaf(child)) throw locationError(31249, `Path collision at ${path}`);
      node = child;
    }
    const name = parts.at(-1) as string;
    if (node[name] !== undefined) throw locationError(31250, `Path collision at ${path}`);
    node[name] = leaf;
  }
  if (isInclusion && tree._id === undefined) tree._id = { kind: 'include' };
  return tree as ProjectionTree;
}

function isLeaf(node: ProjectionTree | Leaf | object): node is Leaf {
  return typeof (node as Leaf).kind === 'string' && Object.getPrototypeOf(node) !== null;
}

function projectDocument(
  document: Doc,
  tree: ProjectionTree,
  root: Doc,
  path: string,
  context: Context,
): Doc {
  const result: Doc = {};
  for (const key of Object.keys(document)) {
    const node = tree[key];
    const own = path === '' ? key : `${path}.${key}`;
    const value =
      node === undefined
        ? keepUnless(context.isInclusion, document[key])
        : projectValue(document[key], node, root, own, context);
    if (value !== undefined) setField(result, key, value);
  }
  addComputed(result, document, tree, root, context);
  return result;
}

function keepUnless(isInclusion: boolean, value: unknown): unknown {
  return isInclusion ? undefined : (value ?? null);
}

function projectValue(
  value: unknown,
  node: ProjectionTree | Leaf,
  root: Doc,
  path: string,
  context: Context,
): unknown {
  if (isLeaf(node)) return LEAVES[node.kind](value, node as never, root, path, context);
  if (Array.isArray(value)) {
    return value
      .map((element) =>
        isDocument(element) || Array.isArray(element)
          ? projectValue(element, node, root, path, context)
          : keepUnless(context.isInclusion, element),
      )
      .filter((element) => element !== undefined);
  }
  if (isDocument(value)) return projectDocument(value, node, root, path, context);
  return hasComputed(node)
    ? projectDocument({}, node, root, path, context)
    : keepUnless(context.isInclusion, value);
}

type LeafProjector = (value: unknown, leaf: never, root: Doc, path: string, context: Context) => unknown;

const LEAVES: Readonly<Record<Leaf['kind'], LeafProjector>> = {
  include: (value) => value ?? null,
  exclude: () => undefined,
  slice: (value, { skip, limit }: { skip: number | undefined; limit: number }) => {
    if (!Array.isArray(value)) return value;
    if (skip === undefined) return limit < 0 ? value.slice(limit) : value.slice(0, limit);
    const start = skip < 0 ? Math.max(0, value.length + skip) : skip;
    return value.slice(start, start + limit);
  },
  elemMatch: (value, { test }: { test: ValueTest }) => {
    const found = Array.isArray(value) ? value.find(test) : undefined;
    return found === undefined ? undefined : [found];
  },
  positional: (value, _leaf, root, path, { positionOf }) => {
    if (!Array.isArray(value)) return value;
    const position = positionOf?.(root, path);
    if (position === undefined) {
      throw locationError(
        51246,
        `Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array`,
      );
    }
    return value.slice(position, position + 1);
  },
  expression: () => undefined,
};

/** Computed fields come after the document's own, in the order of the projection. */
function addComputed(result: Doc, document: Doc, tree: ProjectionTree, root: Doc, context: Context): void {
  for (const key of Object.keys(tree)) {
    const node = tree[key] as ProjectionTree | Leaf;
    if (isLeaf(node)) {
      if (node.kind !== 'expression') continue;
      const value = evaluate(node.expression, root, context.scope);
      if (value !== undefined) setField(result, key, cloneValue(value));
    } else if (!Object.hasOwn(document, key) && hasComputed(node)) {
      setField(result, key, projectDocument({}, node, root, key, context));
    }
  }
}

function hasComputed(tree: ProjectionTree): boolean {
  return Object.keys(tree).some((key) => {
    const node = tree[key] as ProjectionTree | Leaf;
    return isLeaf(node) ? node.kind === 'expression' : hasComputed(node);
  });
}
