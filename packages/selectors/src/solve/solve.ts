import type { ExtractedData, ExtractedValue, Selector, SelectorMap } from '@gleaner/contracts';
import { type Budget, extractWithMatches, planSelectors, type Shape } from '@gleaner/extraction';
import { Page } from '../page.ts';
import { isEmpty, isSame, type PageAt, read } from '../repair/reading.ts';
import { suggestOne } from '../suggest.ts';
import { solveRecords, solveTexts } from './solve-list.ts';
import { NO_SELECTOR, NO_VALUE, type SolveRequest, type Solving } from './solving.ts';
import { selectorOf } from './typed-selector.ts';

/** Selectors of known values. */
export interface Solution {
  readonly selectors: SelectorMap;
  /** Values that the selectors give on the page. */
  readonly data: ExtractedData;
  /** Paths of fields without a selector, each with the reason. */
  readonly unsolved: readonly { readonly field: string; readonly message: string }[];
  /** For each field at the top, the share of the other pages on which it has a value, as in `4 of 5`. */
  readonly stableOn?: Readonly<Record<string, string>>;
}

/** Finds selectors for known values. Each is run over the page, and kept only if it gives these values. */
export function solve(
  at: PageAt,
  others: readonly PageAt[],
  request: SolveRequest,
  budget: Budget,
): Solution {
  const unsolved: { field: string; message: string }[] = [];
  const page = new Page(at.document, budget);
  const solving: Solving = {
    ...request,
    at,
    page,
    others: others.map(({ document }) => new Page(document, budget)),
    budget,
    miss: (field, message) => void unsolved.push({ field, message }),
  };
  const selectors = solveFields(request.shape, '', request.data, solving);
  const options = { baseUrl: at.baseUrl, budget, ...localeOf(request) };
  const isSolved = Object.keys(selectors).length > 0;
  const data = isSolved ? extractWithMatches(at.document, planSelectors(selectors), options).data : {};
  return {
    selectors,
    data,
    unsolved,
    ...(others.length > 0 && { stableOn: tryOn(others, selectors, { budget, ...localeOf(request) }) }),
  };
}

function localeOf({ locale }: Pick<SolveRequest, 'locale'>): { readonly locale?: string } {
  return locale === undefined ? {} : { locale };
}

/** Returns the selectors of the fields of an object. */
function solveFields(shape: Shape, path: string, data: ExtractedValue, solving: Solving): SelectorMap {
  if (shape.kind !== 'object') return {};
  const values = (data ?? {}) as ExtractedData;
  return Object.fromEntries(
    shape.fields.flatMap(([name, field]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      const selector = SOLVERS[field.kind](field, inner, values[name] ?? null, solving);
      return selector === undefined ? [] : [[name, selector]];
    }),
  );
}

/** Finds the selector of one value; undefined if none gives it. */
type Solver = (shape: Shape, path: string, value: ExtractedValue, solving: Solving) => Selector | undefined;

const SOLVERS: Readonly<Record<Shape['kind'], Solver>> = {
  scalar: (shape, path, value, solving) => {
    const { at, page, others, elements, miss } = solving;
    const order = elements[path];
    if (shape.kind !== 'scalar' || order === undefined || isEmpty(value)) {
      miss(path, NO_VALUE);
      return undefined;
    }
    const options = [...suggestOne(order, page, others)].map(({ selector, take }) =>
      selectorOf(selector, take, shape),
    );
    const right = options.find((selector) => isSame(read(at, selector, solving).value, value));
    if (right === undefined) miss(path, NO_SELECTOR);
    return right;
  },
  object: (shape, path, value, solving) => {
    const fields = solveFields(shape, path, value, solving);
    return Object.keys(fields).length > 0 ? { selector: ':root', fields } : undefined;
  },
  list: (shape, path, value, solving) => {
    const items = Array.isArray(value) ? value : [];
    if (items.length === 0) solving.miss(path, NO_VALUE);
    if (shape.kind !== 'list' || items.length === 0) return undefined;
    const { item } = shape;
    if (item.kind === 'scalar') return solveTexts(item, path, items, solving);
    if (item.kind === 'object') return solveRecords(item, path, items, solving);
    solving.miss(path, 'A list of lists has no selector: flatten it.');
    return undefined;
  },
};

function tryOn(
  others: readonly PageAt[],
  selectors: SelectorMap,
  options: { readonly budget: Budget; readonly locale?: string },
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(selectors).map(([name, selector]) => {
      const held = others.filter((other) => hasValue(read(other, selector, options).value)).length;
      return [name, `${held} of ${others.length}`];
    }),
  );
}

/** Returns true for a value, and for an object or a list that holds one. */
function hasValue(value: ExtractedValue): boolean {
  if (typeof value !== 'object' || value === null) return !isEmpty(value);
  return Object.values(value).some((each) => hasValue(each as ExtractedValue));
}
