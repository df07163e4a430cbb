import type { ExtractedValue, RecordSelector, Selector } from '@gleaner/contracts';
import {
  type Budget,
  extractWithMatches,
  type ParsedDocument,
  planSelectors,
  splitFieldSelector,
} from '@gleaner/extraction';
import type { Page } from '../page.ts';
import { shapeOf, type Take, takeOf } from '../take.ts';

/** A page with its URL. */
export interface PageAt {
  readonly document: ParsedDocument;
  readonly baseUrl: string;
}

/** Value of a selector on a page, and the elements of it and of the fields inside, by their paths. */
export interface Reading {
  readonly value: ExtractedValue;
  readonly matches: Readonly<Record<string, readonly number[]>>;
}

const NAME = 'f';

/** Reads the value of a selector, as it is without `default` and `required`. */
export function read(
  { document, baseUrl }: PageAt,
  selector: Selector,
  { budget, locale }: { readonly budget: Budget; readonly locale?: string | undefined },
): Reading {
  const plan = planSelectors({ [NAME]: withoutFallbacks(selector) });
  const result = extractWithMatches(document, plan, {
    baseUrl,
    budget,
    ...(locale !== undefined && { locale }),
  });
  const matches = Object.entries(result.matches).map(([path, orders]) => [
    path.slice(NAME.length + 1),
    orders,
  ]);
  return { value: result.data[NAME] ?? null, matches: Object.fromEntries(matches) };
}

function withoutFallbacks(selector: Selector): Selector {
  if (typeof selector === 'string') return selector;
  const { default: _default, required: _required, fields, ...rest } = selector;
  if (!fields) return rest;
  const inner = Object.entries(fields).map(([name, each]) => [name, withoutFallbacks(each)]);
  return { ...rest, fields: Object.fromEntries(inner) };
}

/** Returns the CSS of a selector; empty if it has none. */
export function cssOf(selector: Selector): string {
  return splitFieldSelector(sourceOf(selector)).css;
}

function sourceOf(selector: Selector): string {
  return (typeof selector === 'string' ? selector : selector.selector) ?? '';
}

/** Returns the selector with other CSS, and everything else as it was. */
export function withCss(selector: Selector, css: string): Selector {
  const source = css + splitFieldSelector(sourceOf(selector)).suffix;
  return typeof selector === 'string' ? source : { ...selector, selector: source };
}

/** Returns the selector as an object. */
export function asObject(selector: Selector): RecordSelector {
  return typeof selector === 'string' ? { selector } : selector;
}

/** Returns whether a selector returns a list. */
export function takesAll(selector: Selector): boolean {
  return asObject(selector).all === true || /::\s*all\b/i.test(splitFieldSelector(sourceOf(selector)).suffix);
}

/** Returns the value of an element by which the field is recognized elsewhere: the attribute that it reads, or what people see. */
export function takeFor(selector: Selector, order: number, page: Page): Take {
  const [, name] =
    /::\s*attr\(\s*["']?([^"')\s]+)/i.exec(splitFieldSelector(sourceOf(selector)).suffix) ?? [];
  if (name !== undefined) return `attr(${name})`;
  const { suffix } = splitFieldSelector(sourceOf(selector));
  return suffix.startsWith('::text') || suffix.startsWith('::html') ? 'text' : takeOf(order, page);
}

/** Returns whether two values are the same, in any order of their members. */
export function isSame(one: ExtractedValue | undefined, other: ExtractedValue | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** Returns whether a field has no value. */
export function isEmpty(value: ExtractedValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.every((each) => each === null || each === '');
}

/** Returns the shape of a value: its type, and what a text looks like. */
export function shapeOfValue(value: ExtractedValue | undefined): string {
  if (value === undefined || value === null) return 'empty';
  if (typeof value === 'string') return shapeOf(value);
  return Array.isArray(value) ? 'list' : typeof value;
}
