import { cutText } from '@gleaner/contracts';
import { attributeOf, attributeValue, type Node, textOf } from '@gleaner/extraction';
import type { Page } from './page.ts';

/** Value of an element: its text, or one of its attributes. */
export type Take = 'text' | `attr(${string})`;

const MAX_SHOWN_CHARS = 200;

/** Attributes that hold the value of an element, by tag, best first. */
const VALUE_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['meta', ['content']],
  ['img', ['src', 'data-src', 'data-lazy-src', 'srcset', 'alt']],
  ['source', ['src', 'srcset']],
  ['iframe', ['src', 'data-src']],
  ['embed', ['src']],
  ['audio', ['src']],
  ['video', ['src', 'poster']],
  ['track', ['src']],
  ['object', ['data']],
  ['link', ['href']],
  ['area', ['href']],
  ['input', ['value', 'placeholder']],
  ['time', ['datetime']],
  ['data', ['value']],
  ['meter', ['value']],
  ['progress', ['value']],
]);

/** Returns the value that users most likely mean when they pick an element. */
export function takeOf(order: number, page: Page): Take {
  const element = page.element(order);
  for (const name of VALUE_ATTRIBUTES.get(element.name) ?? []) {
    const value = attributeOf(element, name);
    if (value !== undefined && value !== '' && !value.startsWith('data:image/gif')) return `attr(${name})`;
  }
  if (
    element.name === 'a' &&
    attributeOf(element, 'href') !== undefined &&
    textOf(element, page.budget) === ''
  ) {
    return 'attr(href)';
  }
  return 'text';
}

/** Reads a value as the extraction does; null for an attribute that the element lacks. */
export function readTake(take: Take, order: number, page: Page): string | null {
  const element: Node = page.element(order);
  if (take === 'text') return textOf(element, page.budget);
  return attributeValue(element, take.slice('attr('.length, -1), page.document);
}

/** Returns the first values of the elements, shortened. */
export function showValues(take: Take, orders: readonly number[], page: Page): string[] {
  return orders.slice(0, 3).map((order) => shorten(readTake(take, order, page) ?? ''));
}

/** Shortens a value for display. */
export function shorten(value: string): string {
  return value.length > MAX_SHOWN_CHARS ? `${cutText(value, MAX_SHOWN_CHARS - 1)}…` : value;
}

/** Returns the shape of a value: runs of digits and of letters. Values of one field mostly share it in part. */
export function shapeOf(value: string): string {
  if (value === '') return 'empty';
  if (/^https?:|^\/|^\.{1,2}\//.test(value)) return 'address';
  const sample = value.slice(0, 100);
  const digits = sample.match(/\d/g)?.length ?? 0;
  if (digits > 0 && digits * 3 >= sample.replace(/\s/g, '').length) return 'numeric';
  return value.length > 120 ? 'long text' : 'text';
}
