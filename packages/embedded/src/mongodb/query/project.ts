import { setField } from '../bson/bson-codec.ts';
import { type Doc, isDocument, isNumeric, isTrue } from '../bson/bson-types.ts';
import { locationError, notServed } from '../command-error.ts';
import { compileExpression, type Expression } from '../filter/compile-expression.ts';

/** Makes the document for a client from a stored one. */
export type Projector = (document: Doc) => Doc;

type Leaf = 'include' | 'exclude' | Expression;

/** Outcome of a field, or of the fields below it. */
interface Tree {
  readonly [field: string]: Tree | Leaf;
}

/** A projection document as a function; undefined when it keeps documents as they are. */
export function compileProjection(projection: Doc): Projector | undefined {
  const leaves = Object.entries(projection).map(([path, value]) => [path, parseLeaf(path, value)] as const);
  if (leaves.length === 0) return undefined;
  const isInclusion = decideInclusion(leaves);
  const tree = buildTree(leaves, isInclusion);
  const computed = leaves.filter(
    (leaf): leaf is readonly [string, Expression] => typeof leaf[1] === 'function',
  );
  return (document) => {
    const result = projectDocument(document, tree, isInclusion);
    for (const [path, expression] of computed) {
      const value = expression(document);
      if (value !== undefined) setField(result, path, value);
    }
    return result;
  };
}

function parseLeaf(path: string, value: unknown): Leaf {
  if (path === '') throw locationError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.split('.').includes('')) {
    throw locationError(15998, 'FieldPath field names may not be empty strings.');
  }
  if (path.startsWith('$'))
    throw locationError(16410, `FieldPath field names may not start with '$': ${path}`);
  if (path.includes('.$')) throw notServed('a projection of the element that matched');
  if (isNumeric(value) || typeof value === 'boolean') return isTrue(value) ? 'include' : 'exclude';
  if (path.includes('.')) throw notServed('an expression below a field of a projection');
  return compileExpression(value);
}

/** "A projection cannot contain both include and exclude specifications, with the exception of the _id field." */
function decideInclusion(leaves: readonly (readonly [string, Leaf])[]): boolean {
  const others = leaves.filter(([path]) => path !== '_id');
  const including = others.find(([, leaf]) => leaf === 'include');
  const excluding = others.find(([, leaf]) => leaf === 'exclude');
  if (including !== undefined && excluding !== undefined) {
    throw others.indexOf(excluding) < others.indexOf(including)
      ? locationError(31253, `Cannot do inclusion on field ${including[0]} in exclusion projection`)
      : locationError(31254, `Cannot do exclusion on field ${excluding[0]} in inclusion projection`);
  }
  if (others.length > 0) return excluding === undefined;
  return leaves.every(([, leaf]) => leaf !== 'exclude');
}

function buildTree(leaves: readonly (readonly [string, Leaf])[], isInclusion: boolean): Tree {
  const tree: Record<string, Tree | Leaf> = Object.create(null);
  for (const [path, leaf] of leaves) {
    const parts = path.split('.');
    let node = tree;
    for (const part of parts.slice(0, -1)) {
      node[part] ??= Object.create(null) as Tree;
      const child = node[part];
      if (isLeaf(child)) throw locationError(31249, `Path collision at ${path}`);
      node = child;
    }
    const name = parts.at(-1) as string;
    if (node[name] !== undefined) throw locationError(31250, `Path collision at ${path}`);
    node[name] = leaf;
  }
  if (isInclusion) tree._id ??= 'include';
  return tree;
}

function isLeaf(node: Tree | Leaf): node is Leaf {
  return typeof node !== 'object';
}

function projectDocument(document: Doc, tree: Tree, isInclusion: boolean): Doc {
  const result: Doc = {};
  for (const key of Object.keys(document)) {
    const value = projectValue(document[key], tree[key], isInclusion);
    if (value !== undefined) setField(result, key, value);
  }
  return result;
}

function projectValue(value: unknown, node: Tree | Leaf | undefined, isInclusion: boolean): unknown {
  if (node === 'include') return value ?? null;
  if (node === 'exclude' || typeof node === 'function') return undefined;
  if (node === undefined) return isInclusion ? undefined : (value ?? null);
  if (Array.isArray(value)) {
    return value
      .map((element) => projectBelow(element, node, isInclusion))
      .filter((element) => element !== undefined);
  }
  return projectBelow(value, node, isInclusion);
}

function projectBelow(value: unknown, tree: Tree, isInclusion: boolean): unknown {
  if (isDocument(value)) return projectDocument(value, tree, isInclusion);
  if (Array.isArray(value)) return projectValue(value, tree, isInclusion);
  return isInclusion ? undefined : (value ?? null);
}
