import { dirname } from 'node:path/posix';
import { parseSync, type Span, Visitor } from 'oxc-parser';
import type { Import } from '../boundaries/read-imports.ts';

/** A place in the code that a rule counts. */
export interface Place {
  readonly file: string;
  /** Not set for folders and whole files. */
  readonly line?: number;
  readonly what: string;
}

/** Returns the functions of a file with more than `mostLines` lines, nested ones as well. */
export function findLongFunctions(file: string, source: string, mostLines: number): Place[] {
  const lineAt = lineFinder(source);
  const found: Place[] = [];
  const check = ({ start, end }: Span): void => {
    const [line, last] = [lineAt(start), lineAt(end)];
    if (last - line + 1 > mostLines)
      found.push({ file, line, what: `a function of ${last - line + 1} lines` });
  };
  new Visitor({
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(parse(file, source));
  return found;
}

/** Returns the places where properties are spread out of a literal: `{ ...{ a, b } }` is `{ a, b }`. */
export function findSpreadLiterals(file: string, source: string): Place[] {
  const lineAt = lineFinder(source);
  const found: Place[] = [];
  new Visitor({
    SpreadElement({ argument, start }) {
      if (argument.type !== 'ObjectExpression') return;
      found.push({ file, line: lineAt(start), what: 'a spread literal' });
    },
  }).visit(parse(file, source));
  return found;
}

/** Returns the folders whose only content is one file; its test does not count. */
export function findLoneFiles(files: readonly string[]): Place[] {
  const contents = new Map<string, Set<string>>();
  const add = (folder: string, entry: string): void => {
    contents.set(folder, (contents.get(folder) ?? new Set()).add(entry));
  };
  for (const file of files) {
    if (isTest(file)) continue;
    add(dirname(file), file);
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) add(dirname(folder), folder);
  }
  return [...contents].flatMap(([folder, entries]) => {
    const [only = ''] = entries;
    return entries.size === 1 && files.includes(only)
      ? [{ file: folder, what: `a folder of one file, ${only}` }]
      : [];
  });
}

/** Returns the circles of files that import each other, types included; each by its files. */
export function findCircles(imports: readonly Import[]): Place[] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) {
    if (target !== undefined && !isTest(file)) targets.set(file, [...(targets.get(file) ?? []), target]);
  }
  return stronglyConnected(targets).map((circle) => ({
    file: circle[0] ?? '',
    what: `a circle of ${circle.length} files: ${circle.join(', ')}`,
  }));
}

/** Returns the strongly connected parts of a graph with more than one node (Tarjan, SIAM J. Comput. 1, 1972). */
function stronglyConnected(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const parts: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let low = order.get(node) ?? 0;
    path.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === order.get(node)) {
      const part = path.splice(path.indexOf(node));
      if (part.length > 1) parts.push(part.sort());
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return parts;
}

function parse(file: string, source: string) {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

/** Returns a function from an index to its line. */
function lineFinder(source: string): (index: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (index) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/test/');
}
